// Rows in the arrays of NumPy and SciPy, read where they are.
#pragma once

#include "driftless/data/rows_view.hpp"

#include <pybind11/numpy.h>
#include <string>

namespace driftless::python {

namespace py = pybind11;

// The arrays must outlive the view. DataError where they do not form a matrix of finite numbers with one label for each
// row.
RowsView view_of_dense(const py::array_t<double>& matrix, const py::array_t<double>& labels);
RowsView view_of_csr(const py::array& start, const py::array& column, const py::array_t<double>& value, Index columns,
                     const py::array_t<double>& labels);

// Whether the columns of every row rise. DataError where the arrays are no compressed rows with so many columns.
bool columns_rise(const py::array& start, const py::array& column, std::size_t values, Index columns);

}  // namespace driftless::python
