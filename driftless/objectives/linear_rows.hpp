// The rows of one client, copied out of a data set in two forms with the same operations. With `intercept` every row
// gets a last entry of one, in a column of its own.
#pragma once

#include "driftless/data/dataset.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace driftless {

using RowList = std::span<const std::int32_t>;

// Compressed rows.
class SparseRows {
 public:
  SparseRows(const Dataset& data, RowList rows, bool intercept);

  Index dim() const { return dim_; }
  std::size_t rows() const { return start_.size() - 1; }
  Index used_columns() const;  // by some row

  double dot(std::size_t row, VecIn x) const {
    double sum = 0.0;
    for (auto e = start_[row]; e < start_[row + 1]; ++e) sum += value_[e] * x[column_[e]];
    return sum;
  }
  // g += scale * row
  void add(std::size_t row, double scale, VecOut g) const {
    for (auto e = start_[row]; e < start_[row + 1]; ++e) g[column_[e]] += scale * value_[e];
  }
  // g += scale * row∘row
  void add_squares(std::size_t row, double scale, VecOut g) const {
    for (auto e = start_[row]; e < start_[row + 1]; ++e) g[column_[e]] += scale * value_[e] * value_[e];
  }

 private:
  Index dim_ = 0;
  std::vector<std::size_t> start_;
  std::vector<std::int32_t> column_;
  std::vector<double> value_;
};

// One entry per column, row after row.
class DenseRows {
 public:
  DenseRows(const Dataset& data, RowList rows, bool intercept);

  Index dim() const { return entries_.cols(); }
  std::size_t rows() const { return static_cast<std::size_t>(entries_.rows()); }
  Index used_columns() const;

  double dot(std::size_t row, VecIn x) const { return entries_.row(static_cast<Index>(row)).dot(x); }
  void add(std::size_t row, double scale, VecOut g) const {
    g += scale * entries_.row(static_cast<Index>(row)).transpose();
  }
  void add_squares(std::size_t row, double scale, VecOut g) const {
    g += scale * entries_.row(static_cast<Index>(row)).transpose().cwiseAbs2();
  }

 private:
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> entries_;
};

// Dense rows are faster when more than a quarter of the entries are nonzero: measured, the two cost the same at 0.27.
bool prefers_dense(std::size_t rows, std::size_t nonzeros, Index dim);

}  // namespace driftless
