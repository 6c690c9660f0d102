"""The functions f_i of clients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from driftless import _core
from driftless._arrays import FloatArray, as_csr, as_floats, as_rows, is_sparse, type_text
from driftless._core import Objective
from driftless._errors import ConfigError, DataError


def logistic(A: Any, y: Any, *, l2: float = 0.0, intercept: bool = False, beta: float = 0.0, rows: Any = None,
             weight: float | None = None, storage: str = "auto") -> Objective:
    """Logistic regression over the rows of one client: the losses log(1 + exp(-y a'x)) of labels -1 and +1.

    In a run with M rows over all clients, f(x) = (1/M) Σ loss + (l2/2)‖x‖², as on the command line.

    Args:
        A: The rows: a NumPy array or a scipy.sparse matrix. An array of float64, and a CSR matrix of float64 whose
            columns rise inside of each row, are read where they are; anything else is converted first, which takes a
            copy.
        y: The labels, -1 or +1.
        l2: The weight of ½‖x‖².
        intercept: Whether there is a last variable that is added to every prediction; regularised like the rest.
        beta: The weight of the bounded term Σ x_k²/(1 + x_k²), which is not convex.
        rows: The indices of the client's rows of A and y; all of them where it is not given.
        weight: The weight of the loss of a row. Where it is not given it is n/M with n clients and M rows in all.
        storage: How rows are kept: "auto" (the fastest), "sparse", "codes" or "dense".
    """
    return linear("logistic", A, y, l2=l2, intercept=intercept, beta=beta, rows=rows, weight=weight, storage=storage)


def least_squares(A: Any, y: Any, *, l2: float = 0.0, intercept: bool = False, beta: float = 0.0, rows: Any = None,
                  weight: float | None = None, storage: str = "auto") -> Objective:
    """Least squares over the rows of one client: the losses ½(a'x - y)². The arguments are those of `logistic`."""
    return linear("least-squares", A, y, l2=l2, intercept=intercept, beta=beta, rows=rows, weight=weight,
                  storage=storage)


def linear(loss: str, A: Any, y: Any, *, l2: float = 0.0, intercept: bool = False, beta: float = 0.0, rows: Any = None,
           weight: float | None = None, storage: str = "auto") -> Objective:
    """A linear model by the name of its loss: "logistic" or "least-squares". The other arguments are those of `logistic`."""
    _check_weight("l2", l2)
    _check_weight("beta", beta)
    if weight is not None:
        _check_weight("weight", weight)
    labels = np.ascontiguousarray(as_floats(y, "y", 1))
    chosen = as_rows(rows)
    options = (chosen, float(l2), float(beta), bool(intercept), weight, storage)
    if not is_sparse(A):
        return _core.linear_dense(loss, as_floats(A, "A", 2), labels, *options)
    csr = as_csr(A, chosen)
    return _core.linear_csr(loss, csr.start, csr.column, csr.value, csr.columns, labels, *options)


def glm(A: Any, y: Any, *, family: str = "logistic", l2: Any = 0.0, intercept: bool = True, sample_weight: Any = None,
        offset: Any = None, rows: Any = None, **options: Any) -> Objective:
    """A generalised linear model over the rows of one client.

    In a run f(x) is the weighted mean of the losses over the rows of all clients, and ½ Σ l2_k x_k². x holds the
    coefficients of the columns, then the intercept; for K classes K - 1 such blocks, the first class being the reference.

    Args:
        A: The rows, as for `logistic`.
        y: The labels: -1 and +1 for logistic and squared-hinge, 0 … K - 1 for multinomial, counts for poisson, positive
            numbers for gamma, numbers otherwise.
        family: "logistic", "multinomial", "least-squares", "poisson", "gamma", "huber", "squared-hinge" or "quantile".
        l2: The penalty of every coefficient but the intercept: a number, or one for each column.
        intercept: Whether there is an intercept, which is not penalised.
        sample_weight: The weight of each row of A; 1 where it is not given.
        offset: What is added to the prediction of each row of A; 0 where it is not given.
        rows: The indices of the client's rows of A and y; all of them where it is not given.
        **options: classes of multinomial, delta of huber and quantile, tau of quantile.
    """
    labels = np.ascontiguousarray(as_floats(y, "y", 1))
    weights = _column("sample_weight", sample_weight, labels.size)
    offsets = _column("offset", offset, labels.size)
    chosen = as_rows(rows)
    settings = {"family": family, **{name.removesuffix("_"): value for name, value in options.items()}}
    sparse = is_sparse(A)
    matrix = A if sparse else as_floats(A, "A", 2)
    penalty = _penalty(l2, int(matrix.shape[1]), intercept)
    if not sparse:
        return _core.glm_dense(matrix, labels, chosen, weights, offsets, settings, penalty, bool(intercept))
    csr = as_csr(matrix, chosen)
    return _core.glm_csr(csr.start, csr.column, csr.value, csr.columns, labels, chosen, weights, offsets, settings,
                         penalty, bool(intercept))


def quadratic(A: Any, b: Any) -> Objective:
    """f(x) = ½(x - b)'A(x - b) with a symmetric matrix A."""
    matrix = as_floats(A, "A", 2)
    centre = as_floats(b, "b", 1)
    if matrix.shape != (centre.size, centre.size) or centre.size == 0:
        seen = f"A of shape {matrix.shape}, b of shape {centre.shape}"
        raise DataError("the matrix of a quadratic does not fit its centre", seen, "give A of shape (d, d) and b of (d,)")
    if not (np.isfinite(matrix).all() and np.isfinite(centre).all()):
        raise DataError("a quadratic has entries that are not finite numbers", "NaN or infinity", "remove them")
    if not np.array_equal(matrix, matrix.T):
        seen = f"entries differ by up to {np.abs(matrix - matrix.T).max():.3g}"
        raise DataError("the matrix of a quadratic is not symmetric", seen, "give (A + A.T) / 2")
    return _core.quadratic(matrix, centre)


def as_objective(client: Any) -> Objective:
    """The function of a client: an objective of this package as it is, any other object by its `value_gradient`."""
    if isinstance(client, Objective):
        return client
    return _core.python_objective(client)


def as_objectives(clients: Any) -> list[Objective]:
    """The functions of all clients; a single one stands for a federation of one client."""
    if isinstance(clients, Objective) or hasattr(clients, "value_gradient"):
        return [as_objective(clients)]
    if isinstance(clients, (str, bytes, dict, np.ndarray)) or not hasattr(clients, "__iter__"):
        advice = "give driftless.logistic(A, y) or another objective for each client"
        raise ConfigError("'clients' is no list of objectives", type_text(clients), advice)
    return [as_objective(client) for client in clients]


def _column(name: str, values: Any, rows: int) -> FloatArray | None:
    if values is None:
        return None
    column = np.ascontiguousarray(as_floats(values, name, 1))
    if column.size != rows:
        raise DataError(f"'{name}' does not have one number for each row", f"{column.size} of {rows}", "give one each")
    return column


def _penalty(l2: Any, columns: int, intercept: bool) -> FloatArray:
    given = np.asarray(l2)
    if given.dtype.kind not in "fiu" or given.ndim > 1 or not (np.isfinite(given).all() and (given >= 0).all()):
        raise ConfigError("'l2' is neither a number of at least 0 nor one for each column", f"l2 = {l2!r:.80}", "give one")
    if given.ndim == 1 and given.size != columns:
        seen = f"{given.size} numbers, {columns} columns"
        raise ConfigError("'l2' does not have one number for each column", seen, "give a number, or one for each column")
    penalty = np.zeros(columns + (1 if intercept else 0))
    penalty[:columns] = given
    return penalty


def _check_weight(name: str, value: Any) -> None:
    if isinstance(value, (int, float, np.number)) and math.isfinite(value) and value >= 0:
        return
    raise ConfigError(f"'{name}' is not a number of at least 0", f"{name} = {value!r:.80}", "give a number >= 0")
