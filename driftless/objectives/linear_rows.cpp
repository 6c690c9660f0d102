#include "driftless/objectives/linear_rows.hpp"

#include "driftless/core/check.hpp"

namespace driftless {
namespace {

std::size_t row_begin(const Dataset& data, std::int32_t row) {
  DRIFTLESS_ASSERT(row >= 0 && static_cast<std::size_t>(row) < data.rows(), "a client's row lies in the data set");
  return static_cast<std::size_t>(data.row_start[static_cast<std::size_t>(row)]);
}

std::size_t row_end(const Dataset& data, std::int32_t row) {
  return static_cast<std::size_t>(data.row_start[static_cast<std::size_t>(row) + 1]);
}

}  // namespace

SparseRows::SparseRows(const Dataset& data, RowList rows, bool intercept) : dim_(data.dim + (intercept ? 1 : 0)) {
  std::size_t nonzeros = intercept ? rows.size() : 0;
  for (const std::int32_t row : rows) nonzeros += row_end(data, row) - row_begin(data, row);
  column_.reserve(nonzeros);
  value_.reserve(nonzeros);
  start_.reserve(rows.size() + 1);
  start_.push_back(0);
  for (const std::int32_t row : rows) {
    for (std::size_t e = row_begin(data, row); e < row_end(data, row); ++e) {
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

DenseRows::DenseRows(const Dataset& data, RowList rows, bool intercept) {
  entries_.setZero(static_cast<Index>(rows.size()), data.dim + (intercept ? 1 : 0));
  for (Index j = 0; j < entries_.rows(); ++j) {
    const std::int32_t row = rows[static_cast<std::size_t>(j)];
    for (std::size_t e = row_begin(data, row); e < row_end(data, row); ++e) entries_(j, data.column[e]) = data.value[e];
    if (intercept) entries_(j, data.dim) = 1.0;
  }
}

bool prefers_dense(const Dataset& data) {
  const double entries = static_cast<double>(data.rows()) * static_cast<double>(data.dim);
  return static_cast<double>(data.nonzeros()) > 0.25 * entries;
}

}  // namespace driftless
