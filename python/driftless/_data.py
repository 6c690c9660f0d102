"""Data: how rows are divided among clients, files, generated problems."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from driftless import _core
from driftless._arrays import FloatArray, IndexArray, as_floats, is_sparse
from driftless._core import Objective
from driftless._errors import ConfigError, DataError


def split_rows(y: Any, *, clients: int, how: str = "iid", alpha: float = 1.0, seed: int = 1) -> list[IndexArray]:
    """Divides the rows with the labels y among clients, as the command line does with the same seed.

    Args:
        y: The label of every row.
        clients: The number of clients.
        how: "iid", "dirichlet", "dirichlet-lin", "label" or "contiguous".
        alpha: Of Dirichlet splits: the smaller, the less alike the clients.
        seed: The same seed gives the same rows.

    Returns:
        The indices of the rows of every client, rising.
    """
    labels = np.ascontiguousarray(as_floats(y, "y", 1))
    if not np.isfinite(labels).all():
        raise DataError("a label is not a finite number", f"y[{np.flatnonzero(~np.isfinite(labels))[0]}]", "remove it")
    if not hasattr(clients, "__index__") or isinstance(clients, bool) or clients < 1:
        raise ConfigError("'clients' is not a whole number of at least 1", f"clients = {clients!r:.80}", "give one")
    if not isinstance(alpha, (int, float)) or not 0 < alpha < float("inf"):
        raise ConfigError("'alpha' is not a positive number", f"alpha = {alpha!r:.80}", "give a number > 0")
    if not hasattr(seed, "__index__") or seed < 0:
        raise ConfigError("'seed' is not a whole number of at least 0", f"seed = {seed!r:.80}", "give one")
    return _core.split_rows(labels, int(clients), str(how), float(alpha), int(seed))


def split(A: Any, y: Any, *, clients: int, how: str = "iid", alpha: float = 1.0,
          seed: int = 1) -> list[tuple[Any, FloatArray]]:
    """Divides the rows of A and y among clients: a pair (A_i, y_i) for each. The arguments are those of `split_rows`.

    The pairs are copies; `logistic(A, y, rows=...)` with the indices of `split_rows` needs none.
    """
    labels = as_floats(y, "y", 1)
    matrix = A.tocsr() if is_sparse(A) else np.asarray(A)
    if matrix.ndim != 2 or matrix.shape[0] != labels.size:
        seen = f"A of shape {matrix.shape}, {labels.size} labels"
        raise DataError("there must be one label for each row", seen, "give both of the same data")
    return [(matrix[rows], labels[rows]) for rows in
            split_rows(labels, clients=clients, how=how, alpha=alpha, seed=seed)]


def read_libsvm(path: str | os.PathLike[str], *, labels: str = "binary", columns: int | None = None,
                positive_label: float | None = None) -> tuple[Any, FloatArray]:
    """Reads a file in the LIBSVM format, plain or packed (.gz, .zst), as a scipy.sparse.csr_matrix and its labels.

    Args:
        path: A path, or the name of data that `driftless data get` knows.
        labels: "binary": the two labels of the file become -1 and +1; "real": numbers as they are.
        columns: The number of columns; the largest index of the file where it is not given.
        positive_label: With binary labels: this label becomes +1, every other one -1.
    """
    from scipy.sparse import csr_matrix

    if labels not in ("binary", "real"):
        raise ConfigError("there is no kind of labels of this name", f"labels = {labels!r:.80}", 'use "binary" or "real"')
    value, column, start, dim, y = _core.read_libsvm(os.fspath(path), labels == "binary", columns, positive_label)
    matrix = csr_matrix((value, column, start.astype(np.int32) if value.size < 2**31 else start), shape=(y.size, dim))
    return matrix, y


@dataclass(frozen=True)
class QuadraticProblem:
    """A generated federation of quadratics, with what is known of it."""

    clients: list[Objective]
    start: FloatArray
    minimizer: FloatArray | None  #: where it has a closed form
    minimum: float | None
    constants: dict[str, float]  #: L, mu and delta of the clients

    @property
    def reference(self) -> tuple[FloatArray, float] | None:
        """The minimiser and the minimum, as `minimize` takes them; None where they are not known."""
        if self.minimizer is None or self.minimum is None:
            return None
        return self.minimizer, self.minimum


def generate_quadratics(**options: Any) -> QuadraticProblem:
    """The quadratics of the command line's kind "quadratic": clients with known smoothness, convexity and dissimilarity.

    The options are those of `driftless data generate quadratic`: clients, samples, dim, L, mu, delta, seed and others;
    class_ for the convexity.
    """
    return QuadraticProblem(**_core.generate_quadratics({name.removesuffix("_"): value
                                                         for name, value in options.items()}))
