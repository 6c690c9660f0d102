"""Generalised linear models over the rows of clients."""

from __future__ import annotations

from typing import Any

import numpy as np

from driftless import _core
from driftless._arrays import FloatArray, as_csr, as_floats, is_sparse
from driftless._core import Objective
from driftless._errors import ConfigError, DataError


def glm(family: str, A: Any, y: Any, *, l2: float = 0.0, intercept: bool = True, weights: Any = None,
        offset: Any = None, delta: float = 1.0, tau: float = 0.5, classes: int = 2, symmetric: bool = False,
        scale: float | None = None) -> Objective:
    """A generalised linear model over the rows of one client: the families of `problem.kind = "glm"`.

    The variables are the coefficients of the columns, then the intercept, which is not penalised; with K classes there
    are K - 1 such groups, of the classes 1 ... K - 1 against class 0.

    Args:
        family: "logistic", "multinomial", "least-squares", "poisson", "gamma", "huber", "squared-hinge" or "quantile".
        A: The rows: a NumPy array or a scipy.sparse matrix, which are copied.
        y: The labels: -1 and +1 of two classes, 0, 1, ... of several, numbers otherwise.
        l2: The weight of ½‖x‖².
        intercept: Whether there is an intercept.
        weights: How often each row counts.
        offset: Is added to the prediction of each row.
        delta: Of "huber" and "quantile".
        tau: The level of "quantile".
        classes: The number of classes of "multinomial".
        symmetric: With several classes, whether the penalty is that of coefficients of all K classes, as in scikit-learn.
        scale: The factor of the loss of a row. Where it is not given it is n/M with n clients and M rows in all.

    Example:
        >>> import driftless, numpy as np
        >>> A = np.array([[0.0], [1.0], [2.0]])
        >>> counts = driftless.glm("poisson", A, [1.0, 3.0, 7.0])
        >>> driftless.minimize([counts], grad_norm=1e-9).x.round(2)
        array([0.93, 0.1 ])
    """
    request = _core.GlmRequest()
    request.family = family
    request.l2 = _number("l2", l2, 0.0)
    request.intercept = bool(intercept)
    request.delta = _number("delta", delta, np.nextafter(0.0, 1.0))
    request.tau = _number("tau", tau, 0.0)
    if not 0 < request.tau < 1:
        raise ConfigError("'tau' is not between 0 and 1", f"tau = {tau!r:.80}", "give the level of the quantile")
    if isinstance(classes, bool) or not hasattr(classes, "__index__") or classes < 2:
        raise ConfigError("'classes' is not a whole number of at least 2", f"classes = {classes!r:.80}", "give one")
    request.classes = int(classes)
    request.symmetric = bool(symmetric) and family == "multinomial"
    request.scale = None if scale is None else _number("scale", scale, 0.0)
    labels = np.ascontiguousarray(as_floats(y, "y", 1))
    request.weight = _each_row("weights", weights, labels.size)
    request.offset = _each_row("offset", offset, labels.size)
    if not is_sparse(A):
        return _core.glm_dense(as_floats(A, "A", 2), labels, request)
    csr = as_csr(A)
    return _core.glm_csr(csr.start, csr.column, csr.value, csr.columns, labels, request)


def _number(name: str, value: Any, least: float) -> float:
    good = isinstance(value, (int, float, np.number)) and np.isfinite(value)
    if good and float(value) >= least:
        return float(value)
    raise ConfigError(f"'{name}' is too small or no number", f"{name} = {value!r:.80}", f"give a number >= {least:g}")


def _each_row(name: str, values: Any, rows: int) -> FloatArray:
    if values is None:
        return np.empty(0)
    array = as_floats(values, name, 1)
    if array.size != rows:
        raise DataError(f"'{name}' must have one number for each row", f"{array.size} numbers, {rows} rows",
                        "give both of the same data")
    return array
