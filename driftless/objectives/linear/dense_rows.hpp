// The rows of a client with all their entries, row by row.
#pragma once

#include "driftless/objectives/linear/linear_rows.hpp"

#include <variant>
#include <vector>

namespace driftless {

class DenseRows {
 public:
  DenseRows(const RowsView& data, RowList rows, const RowsOptions& options = {});
  // `entries` row after row, each of padded(dim) numbers with zeros behind the first `dim`.
  DenseRows(std::size_t rows, Index dim, std::vector<double> entries);

  Index dim() const { return dim_; }
  const RowBlocks& blocks() const { return blocks_; }
  Index used_columns() const { return used_columns_; }
  std::string layout() const;
  std::size_t bytes() const;
  std::size_t entries() const { return blocks_.rows() * stride_; }

  std::size_t width() const { return stride_; }
  void spread(VecIn x, double* source) const;
  void add_products(std::size_t block, const double* source, double* z) const;
  void add_transposed(std::size_t block, const double* y, double* sum) const;
  void add_squares(std::size_t block, const double* y, double* sum) const;
  void collect(double* sum, VecOut g) const;

  double dot(std::size_t row, const double* x) const;
  void add(std::size_t row, double scale, double* g) const;
  void add_gram(const double* weights, double* triangle) const;
  std::size_t gram_passes() const { return (stride_ + 3) / 4; }

 private:
  void make_blocks(std::size_t rows);
  template <class Number>
  void fill(const RowsView& data, RowList rows, std::vector<Number>& entries);
  template <class Use>
  void with_rows(std::size_t first, std::size_t count, const Use& use) const;

  Index dim_ = 0;
  Index used_columns_ = 0;
  std::size_t stride_ = 0;
  RowBlocks blocks_;
  RowBlocks gram_blocks_;
  std::variant<std::vector<double>, std::vector<float>> entries_;
};

}  // namespace driftless
