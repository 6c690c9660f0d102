#include "driftless/objectives/linear_rows.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {
namespace {

// The places of a row's entries in the arrays of the data set.
struct Entries {
  std::size_t begin;
  std::size_t end;
};

Entries entries_of(const Dataset& data, std::int32_t row) {
  DRIFTLESS_ASSERT(row >= 0 && static_cast<std::size_t>(row) < data.rows(), "a client's row lies in the data set");
  const auto* start = data.row_start.data() + row;
  return {static_cast<std::size_t>(start[0]), static_cast<std::size_t>(start[1])};
}

}  // namespace

SparseRows::SparseRows(const Dataset& data, RowList rows, bool intercept) : dim_(data.dim + (intercept ? 1 : 0)) {
  std::size_t nonzeros = intercept ? rows.size() : 0;
  for (const std::int32_t row : rows) {
    const auto [begin, end] = entries_of(data, row);
    nonzeros += end - begin;
  }
  column_.reserve(nonzeros);
  value_.reserve(nonzeros);
  start_.reserve(rows.size() + 1);
  start_.push_back(0);
  for (const std::int32_t row : rows) {
    const auto [begin, end] = entries_of(data, row);
    for (std::size_t e = begin; e < end; ++e) {
      column_.push_back(data.column[e]);
      value_.push_back(data.value[e]);
    }
    if (intercept) {
      column_.push_back(static_cast<std::int32_t>(data.dim));
      value_.push_back(1.0);
    }
    start_.push_back(column_.size());
  }
}

Index SparseRows::used_columns() const {
  std::vector<bool> used(static_cast<std::size_t>(dim_), false);
  for (const std::int32_t column : column_) used[static_cast<std::size_t>(column)] = true;
  return static_cast<Index>(std::ranges::count(used, true));
}

DenseRows::DenseRows(const Dataset& data, RowList rows, bool intercept) {
  entries_.setZero(static_cast<Index>(rows.size()), data.dim + (intercept ? 1 : 0));
  for (Index j = 0; j < entries_.rows(); ++j) {
    const auto [begin, end] = entries_of(data, rows[static_cast<std::size_t>(j)]);
    for (std::size_t e = begin; e < end; ++e) entries_(j, data.column[e]) = data.value[e];
    if (intercept) entries_(j, data.dim) = 1.0;
  }
}

Index DenseRows::used_columns() const { return (entries_.array() != 0.0).colwise().any().count(); }

bool prefers_dense(std::size_t rows, std::size_t nonzeros, Index dim) {
  return static_cast<double>(nonzeros) > 0.25 * static_cast<double>(rows) * static_cast<double>(dim);
}

}  // namespace driftless
