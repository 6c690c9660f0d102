"""When a run ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from driftless._arrays import type_text
from driftless._errors import ConfigError


@dataclass(frozen=True)
class Stop:
    """Stop conditions. The first one that is met ends the run; those that are None never do."""

    rounds: int | None = None  #: most rounds
    grad_norm: float | None = None  #: ‖∇f(x)‖ small enough
    grad_norm_relative: float | None = None  #: ‖∇f(x)‖/‖∇f(x⁰)‖ small enough, x⁰ the start
    gap: float | None = None  #: f(x) - f* small enough; needs the reference
    exchanges: int | None = None  #: most exchanges
    bytes: int | None = None  #: most bytes, both directions together
    seconds: float | None = None  #: most seconds of work, measuring not counted
    grad_evals: int | None = None  #: most gradient evaluations of the busiest client

    def given(self) -> dict[str, Any]:
        """The conditions that are not None, by name."""
        return {name: value for name in STOP_NAMES if (value := getattr(self, name)) is not None}


STOP_NAMES = tuple(field.name for field in fields(Stop))


def stop_conditions(stop: Stop | Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """The conditions of both forms as one dict; ConfigError where one is given twice."""
    if stop is None:
        given: dict[str, Any] = {}
    elif isinstance(stop, Stop):
        given = stop.given()
    elif isinstance(stop, Mapping):
        given = {name: value for name, value in stop.items() if value is not None}
    else:
        advice = "give driftless.Stop(rounds=100), or a dict such as {'rounds': 100}"
        raise ConfigError("'stop' is no set of stop conditions", type_text(stop), advice)
    for name in given:
        if not isinstance(name, str):
            raise ConfigError("the name of a stop condition is no text", f"{name!r:.80}", f"use {', '.join(STOP_NAMES)}")
    twice = sorted(set(given) & set(keywords))
    if twice:
        raise ConfigError("a stop condition is given twice", f"{twice[0]}", "give it in 'stop' or by its name")
    return {**given, **{name: value for name, value in keywords.items() if value is not None}}
