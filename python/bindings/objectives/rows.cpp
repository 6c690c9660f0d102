#include "python/bindings/objectives/rows.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace driftless::python {
namespace {

constexpr const char* matrix_name = "A";

std::span<const double> numbers_of(const py::array_t<double>& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}
template <class Number>
std::span<const Number> numbers_as(const py::array& array) {
  return {static_cast<const Number*>(array.data()), static_cast<std::size_t>(array.size())};
}

// use(start, column) with the width that scipy chose for both.
template <class Use>
auto with_indices(const py::array& start, const py::array& column, const Use& use) {
  if (start.itemsize() == sizeof(std::int32_t))
    return use(numbers_as<std::int32_t>(start), numbers_as<std::int32_t>(column));
  return use(numbers_as<std::int64_t>(start), numbers_as<std::int64_t>(column));
}

[[noreturn]] void reject_matrix(const std::string& what, const std::string& seen) {
  throw DataError({.what = what, .seen = seen, .advice = "give a matrix as scipy.sparse.csr_matrix makes it"});
}

template <class Number>
void check_starts(std::span<const Number> start, std::size_t entries) {
  if (start.empty() || start.front() != 0 || static_cast<std::size_t>(start.back()) > entries)
    reject_matrix("the row offsets of a sparse matrix do not fit its entries",
                  start.empty() ? "no offsets"
                                : "offsets " + std::to_string(start.front()) + " … " + std::to_string(start.back()) +
                                      ", " + std::to_string(entries) + " entries");
  for (std::size_t j = 1; j < start.size(); ++j)
    if (start[j] < start[j - 1])
      reject_matrix("the row offsets of a sparse matrix fall", "row " + std::to_string(j - 1));
}

// Whether they rise; DataError where one is out of range.
template <class Number>
bool check_columns(std::span<const Number> start, std::span<const Number> column, Index columns,
                   std::span<const std::int32_t> rows) {
  bool rise = true;
  for (const std::int32_t row : rows) {
    const auto j = static_cast<std::size_t>(row);
    for (auto e = static_cast<std::size_t>(start[j]); e < static_cast<std::size_t>(start[j + 1]); ++e) {
      if (column[e] < 0 || static_cast<Index>(column[e]) >= columns)
        reject_matrix(
            "a column index of a sparse matrix is out of range",
            "row " + std::to_string(row) + ": column " + std::to_string(column[e]) + " of " + std::to_string(columns));
      if (e > static_cast<std::size_t>(start[j]) && column[e] <= column[e - 1]) rise = false;
    }
  }
  return rise;
}

void check_sizes(Index rows, Index columns, const py::array_t<double>& labels) {
  if (rows == 0 || columns == 0)
    throw DataError({.what = "a client has no data",
                     .seen = std::to_string(rows) + " rows, " + std::to_string(columns) + " columns",
                     .advice = "leave out clients without rows"});
  constexpr Index most = std::numeric_limits<std::int32_t>::max() - 1;
  if (rows > most || columns > most)
    throw DataError({.what = "a matrix is too large",
                     .seen = std::to_string(rows) + " rows, " + std::to_string(columns) + " columns",
                     .advice = "divide its rows among clients of fewer than 2^31 rows and columns"});
  if (labels.size() != rows)
    throw DataError({.what = "there must be one label for each row",
                     .seen = std::to_string(rows) + " rows, " + std::to_string(labels.size()) + " labels",
                     .advice = "give both of the same data"});
}

void check_numbers(const RowsView& view, std::span<const std::int32_t> rows) {
  for (const std::int32_t row : rows) {
    const auto j = static_cast<std::size_t>(row);
    if (!std::isfinite(view.label(j)))
      throw DataError({.what = "a label is not a finite number",
                       .seen = "y[" + std::to_string(j) + "] = " + number(view.label(j)),
                       .advice = "leave out the rows without a label"});
    view.for_each_entry(j, [&](std::size_t k, double value) {
      if (!std::isfinite(value))
        throw DataError({.what = "an entry of a matrix is not a finite number",
                         .seen = "A[" + std::to_string(j) + ", " + std::to_string(k) + "] = " + number(value),
                         .advice = "fill in missing values, or leave out the rows that have them"});
    });
  }
}

}  // namespace

std::vector<std::int32_t> client_rows(const std::optional<py::array_t<std::int32_t>>& given, Index rows) {
  std::vector<std::int32_t> list(static_cast<std::size_t>(given ? given->size() : rows));
  if (given) std::copy_n(given->data(), list.size(), list.begin());
  else std::iota(list.begin(), list.end(), 0);
  for (const std::int32_t row : list)
    if (row < 0 || row >= rows)
      throw DataError({.what = "'rows' names a row that does not exist",
                       .seen = "row " + std::to_string(row) + " of " + std::to_string(rows),
                       .advice = "give indices from 0 to the number of rows minus 1"});
  if (list.empty())
    throw DataError({.what = "a client has no data", .seen = "no rows", .advice = "leave out clients without rows"});
  return list;
}

RowsView view_of_dense(const py::array_t<double>& matrix, const py::array_t<double>& labels,
                       std::span<const std::int32_t> rows) {
  check_sizes(matrix.shape(0), matrix.shape(1), labels);
  constexpr auto width = static_cast<py::ssize_t>(sizeof(double));
  RowsView view(matrix_name, matrix.shape(1), numbers_of(labels),
                DenseArray{matrix.data(), matrix.strides(0) / width, matrix.strides(1) / width});
  check_numbers(view, rows);
  return view;
}

bool columns_rise(const py::array& start, const py::array& column, std::size_t values, Index columns,
                  const std::optional<py::array_t<std::int32_t>>& rows) {
  const auto entries = static_cast<std::size_t>(column.size());
  if (values != entries)
    reject_matrix("a sparse matrix does not have one value for each column index",
                  std::to_string(values) + " values, " + std::to_string(entries) + " column indices");
  return with_indices(start, column, [&](const auto& starts, const auto& indices) {
    check_starts(starts, entries);
    const std::vector<std::int32_t> list = client_rows(rows, static_cast<Index>(starts.size()) - 1);
    return check_columns(starts, indices, columns, list);
  });
}

RowsView view_of_csr(const py::array& start, const py::array& column, const py::array_t<double>& value, Index columns,
                     const py::array_t<double>& labels, std::span<const std::int32_t> rows) {
  check_sizes(start.size() - 1, columns, labels);
  RowsView view(matrix_name, columns, numbers_of(labels),
                with_indices(start, column, [&](const auto& starts, const auto& indices) {
                  using Number = std::remove_const_t<typename std::decay_t<decltype(starts)>::value_type>;
                  return RowsView::Arrays(CsrArrays<Number, Number>{starts, indices, numbers_of(value)});
                }));
  check_numbers(view, rows);
  return view;
}

}  // namespace driftless::python
