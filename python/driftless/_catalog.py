"""The catalogue of methods."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any

from driftless import _core
from driftless._arrays import type_text
from driftless._errors import ConfigError


@dataclass(frozen=True)
class Option:
    """An option of a method."""

    name: str
    kind: str  #: "number", "whole number", "boolean", "text", "choice", "list of texts", "list of numbers", "custom"
    choices: tuple[str, ...]  #: of a choice
    allowed: str  #: type and range, or the list of names, as text
    default: Any  #: None where there is none
    required: bool
    help: str

    def __str__(self) -> str:
        value = "required" if self.required else f"default {self.default!r}"
        return f"{self.name}: {self.allowed}; {value}. {self.help}"


@dataclass(frozen=True, repr=False)
class Method:
    """What the catalogue knows of a method."""

    name: str
    family: str
    summary: str
    paper: str
    rate: str  #: rounds to an accuracy, as its theorem has it
    limit: str  #: why the limit is not the minimiser; empty: it is
    uses_hessian: bool  #: whether it asks clients for products with their Hessians
    options: tuple[Option, ...]
    fixed: dict[str, Any]  #: options that the name of the method settles
    demo: dict[str, Any]  #: options for the quadratics of `generate_quadratics`
    theory: dict[str, str]  #: options that can be "theory", with the formula of their value

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self.summary}", f"  family: {self.family}", f"  paper:  {self.paper}",
                 f"  rounds: {self.rate}"]
        if self.limit:
            lines.append(f"  limit:  near the minimiser: {self.limit}")
        lines += [f"  {option}" for option in self.options]
        lines += [f"  {name} = {value!r}, settled by the name" for name, value in self.fixed.items()]
        lines += [f"  theory: {name} = {formula}" for name, formula in self.theory.items()]
        return "\n".join(lines)


def methods(family: str | None = None) -> list[str]:
    """The names of the methods, all of them or those of a family."""
    names = _core.method_names()
    if family is None:
        return names
    families = {name: _core.describe_method(name)["family"] for name in names}
    if family not in families.values():
        known = ", ".join(dict.fromkeys(families.values()))
        raise ConfigError("there is no family of methods of this name", f"{family!r:.80}", f"use one of: {known}")
    return [name for name in names if families[name] == family]


def describe(method: str) -> Method:
    """What the catalogue knows of a method: its options with defaults and meaning, its paper, its theory."""
    facts = _core.describe_method(method_name(method))
    options = tuple(_option(option) for option in facts.pop("options"))
    return Method(options=options, **facts)


def method_name(method: object) -> str:
    """The text itself; ConfigError for anything else."""
    if isinstance(method, str):
        return method
    raise ConfigError("the name of a method is no text", type_text(method), "use a name that driftless.methods() lists")


def _option(facts: dict[str, Any]) -> Option:
    default = facts.pop("default")
    value = tomllib.loads(f"value = {default}")["value"] if default else None
    return Option(choices=tuple(facts.pop("choices")), default=value, **facts)
