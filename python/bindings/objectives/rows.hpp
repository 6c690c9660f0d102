// Rows in the arrays of NumPy and SciPy, read where they are.
#pragma once

#include "driftless/data/rows_view.hpp"

#include <optional>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <vector>

namespace driftless::python {

namespace py = pybind11;

// The indices of a client's rows: those that were given, or all. DataError where there are none, or one does not exist.
std::vector<std::int32_t> client_rows(const std::optional<py::array_t<std::int32_t>>& given, Index rows);

// The arrays must outlive the view. DataError where they do not have one label for each row, or where a label or an
// entry of the client's rows is no finite number.
RowsView view_of_dense(const py::array_t<double>& matrix, const py::array_t<double>& labels,
                       std::span<const std::int32_t> rows);
RowsView view_of_csr(const py::array& start, const py::array& column, const py::array_t<double>& value, Index columns,
                     const py::array_t<double>& labels, std::span<const std::int32_t> rows);

// Whether the columns of each of the client's rows rise. DataError where the arrays are no compressed rows with so many
// columns.
bool columns_rise(const py::array& start, const py::array& column, std::size_t values, Index columns,
                  const std::optional<py::array_t<std::int32_t>>& rows);

}  // namespace driftless::python
