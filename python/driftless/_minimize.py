"""One call that minimises the mean of the clients' functions by a method."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from driftless import _core
from driftless._arrays import type_text
from driftless._errors import ConfigError
from driftless._objectives import as_objectives
from driftless._stop import STOP_NAMES, Stop, stop_conditions
from driftless._summary import Decision, RoundInfo, Summary, rows_of


def minimize(clients: Any, method: Any = "auto", *, stop: Stop | Mapping[str, Any] | None = None, seed: int = 1,
             threads: int = 0, start: Any = None, every: int = 1, output: str = "last", reference: Any = None,
             callback: Callable[[RoundInfo], object] | None = None, checkpoint: str | os.PathLike[str] | None = None,
             checkpoint_seconds: float = 60.0, stop_token: Any = None, **options: Any) -> Summary:
    """Minimises f(x) = (1/n) Σ f_i(x) over the clients, all of which are in this process.

    The result depends on the clients, the method, its options and the seed alone, never on the number of threads; it has
    the bits that the command line gives for the same problem.

    Args:
        clients: One objective for each client: `logistic`, `least_squares`, `quadratic`, or any object with
            `value_gradient(x)`, which returns f and the gradient, and `dim`. What else such an object may have:
            `value(x)`, `gradient(x)`, `hessian_vector(x, v)`, and for methods with batches `samples` and
            `gradient_batch(x, indices)` and perhaps `sgd_steps(y, batches, step, shift, center, pull)`.
        method: A name that `methods` lists, or an object with `round(fed, x)` and perhaps `start(fed, x)`.
        stop: When to end: a `Stop`, or a dict with its names. The conditions can also be given as keywords: rounds=100.
        seed: Of coins, cohorts, batches and compressors.
        threads: The number of threads; 0: one for each core.
        start: The first point; zero where it is not given.
        every: f and the gradient are measured in every k-th round, and the last.
        output: The output point: "last", "best", "best-gradient", "weighted" or "uniform".
        reference: The minimiser and the minimum of f as a pair, where they are known: for gaps and distances.
        callback: Called after every round with a `RoundInfo`; the run ends where it returns False.
        checkpoint: A file in which the run is saved, and from which it is resumed where the file exists.
        checkpoint_seconds: The least time between two checkpoints; 0: one after every round.
        stop_token: An object with `is_set()`, such as a threading.Event: the run ends soon after this is true.
        **options: The options of the method, as `describe` lists them. A trailing underscore is left out, for names that
            are Python's own: lambda_=0.5. A value "theory" is computed from the constants of the clients.

    Raises:
        ConfigError: Options are missing, out of range or do not fit the clients.
        DataError: A vector has the wrong size or type.
    """
    settings, conditions = _divided(method, options)
    request = _core.RunRequest()
    request.stop = stop_conditions(stop, conditions)
    request.threads = _count("threads", threads, 0)
    request.seed = _count("seed", seed, 0)
    request.every = _count("every", every, 1)
    request.output = _text("output", output)
    request.start = start
    request.minimizer, request.minimum = _reference(reference)
    request.callback = _adapted(callback)
    request.stop_token = _token(stop_token)
    request.checkpoint = None if checkpoint is None else os.fspath(checkpoint)
    request.checkpoint_seconds = _seconds(checkpoint_seconds)
    name = method if isinstance(method, str) else type(method).__name__
    result = _core.run(as_objectives(clients), method, settings, request)
    if result is None:
        advice = "give numbers instead of \"theory\", or set the token later"
        raise ConfigError("the stop token ended the measurement of constants before the run", "is_set()", advice)
    return _summary(name, result)


def _divided(method: Any, options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the method, and the stop conditions that were given as keywords."""
    named = {name.removesuffix("_"): value for name, value in options.items()}
    if len(named) < len(options):
        raise ConfigError("an option is given twice", f"{sorted(options)}", "give it with or without the underscore")
    conditions = {name: value for name, value in named.items() if name in STOP_NAMES}
    settings = {name: value for name, value in named.items() if name not in STOP_NAMES}
    if settings and not isinstance(method, str):
        seen = f"{next(iter(settings))} = {next(iter(settings.values()))!r:.80}"
        raise ConfigError("a method written in Python has its options from its own constructor", seen, "give them there")
    return settings, conditions


def _count(name: str, value: Any, least: int) -> int:
    good = hasattr(value, "__index__") and not isinstance(value, bool)
    if good and least <= value.__index__() < 2**63:
        return int(value.__index__())
    raise ConfigError(f"'{name}' is not a whole number of at least {least}", f"{name} = {value!r:.80}", "give one")


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ConfigError(f"'{name}' is no text", type_text(value), "give one of the names in the documentation")


def _seconds(value: Any) -> float:
    if isinstance(value, (int, float)) and value >= 0:
        return float(value)
    raise ConfigError("'checkpoint_seconds' is not a number of at least 0", f"{value!r:.80}", "give a number >= 0")


def _reference(reference: Any) -> tuple[Any, float]:
    if reference is None:
        return None, 0.0
    try:
        minimizer, minimum = reference
        return minimizer, float(minimum)
    except (TypeError, ValueError) as error:
        advice = "give (x_star, f_star)"
        raise ConfigError("'reference' is no pair of a point and a number", type_text(reference), advice) from error


def _adapted(callback: Callable[[RoundInfo], object] | None) -> Callable[[dict[str, Any], Any], object] | None:
    if callback is None:
        return None
    if not callable(callback):
        raise ConfigError("'callback' cannot be called", type_text(callback), "give a function of one argument")
    function = callback
    return lambda counts, x: function(RoundInfo(x=x, **counts))


def _token(token: Any) -> Any:
    if token is not None and not callable(getattr(token, "is_set", None)):
        raise ConfigError("'stop_token' has no is_set()", type_text(token), "give a threading.Event")
    return token


def _summary(method: str, result: dict[str, Any]) -> Summary:
    decision = result["decision"]
    return Summary(method=method, reason=result["reason"], x=result["x"], output=result["output"],
                   rows=rows_of(result["columns"]), decision=None if decision is None else Decision(**decision),
                   brief=result["brief"])
