"""What NumPy and SciPy give, in the form in which the compiled part reads it without a copy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from driftless import _core
from driftless._errors import DataError

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.int32]


class Csr(NamedTuple):
    """The arrays of a compressed sparse matrix."""

    start: npt.NDArray[Any]
    column: npt.NDArray[Any]
    value: FloatArray
    columns: int


def type_text(value: object) -> str:
    """The type of a value, for messages."""
    return f"a value of type {type(value).__name__}"


def is_sparse(matrix: object) -> bool:
    """Whether this is a matrix of scipy.sparse."""
    return hasattr(matrix, "tocsr") and hasattr(matrix, "format")


def as_floats(values: object, name: str, dimensions: int) -> FloatArray:
    """An array of float64 with so many dimensions: the same array where it is one already, otherwise a copy."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise DataError(f"'{name}' cannot be read as an array", type_text(values), "give a NumPy array") from error
    if array.dtype.kind not in "fiub":
        advice = "give numbers: convert texts and dates, and fill in missing values"
        raise DataError(f"'{name}' does not have numbers", f"dtype {array.dtype}", advice)
    if array.ndim != dimensions:
        wanted = "(rows, columns)" if dimensions == 2 else "(rows,)"
        raise DataError(f"'{name}' does not have the shape {wanted}", f"shape {array.shape}", "use reshape")
    return np.require(array, dtype=np.float64, requirements="A")


def as_csr(matrix: Any, rows: IndexArray | None = None) -> Csr:
    """The arrays of a sparse matrix. They are those of the matrix itself where it is CSR with float64 values whose columns
    rise inside of each of these rows; otherwise a copy is made.
    """
    if len(matrix.shape) != 2:
        raise DataError("'A' does not have the shape (rows, columns)", f"shape {matrix.shape}", "give a matrix")
    csr = matrix if matrix.format == "csr" else matrix.tocsr()
    arrays = _csr_arrays(csr)
    if arrays.start.size != csr.shape[0] + 1:
        seen = f"{arrays.start.size} offsets, {csr.shape[0]} rows"
        raise DataError("a sparse matrix does not have one offset for each row", seen, "make it by scipy")
    if not _core.columns_rise(arrays.start, arrays.column, arrays.value.size, arrays.columns, rows):
        csr = csr.copy()
        csr.has_sorted_indices = False
        csr.has_canonical_format = False
        csr.sum_duplicates()
        arrays = _csr_arrays(csr)
    return arrays


def _csr_arrays(csr: Any) -> Csr:
    width = np.int64 if max(csr.indptr.dtype.itemsize, csr.indices.dtype.itemsize) > 4 else np.int32
    start = np.ascontiguousarray(csr.indptr, dtype=width)
    column = np.ascontiguousarray(csr.indices, dtype=width)
    value = np.ascontiguousarray(as_floats(csr.data, "A", 1))
    return Csr(start, column, value, int(csr.shape[1]))


def as_rows(rows: object) -> IndexArray | None:
    """Indices of rows."""
    if rows is None:
        return None
    array = np.asarray(rows)
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        seen = f"dtype {array.dtype}, shape {array.shape}"
        raise DataError("'rows' is no list of indices of rows", seen, "give whole numbers; np.flatnonzero(mask) for a mask")
    if array.size > 0 and (array.min() < 0 or array.max() > np.iinfo(np.int32).max):
        raise DataError("'rows' names a row that does not exist", f"rows {array.min()} … {array.max()}", "count from 0")
    return np.ascontiguousarray(array, dtype=np.int32)
