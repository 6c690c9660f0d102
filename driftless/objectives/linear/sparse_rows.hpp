// The rows of a client in sliced ELLPACK form (kernels/sliced_ell.hpp), stored by rows and, where that is faster, a
// second time by columns. Where all entries are equal only their indices are stored; rows of one-hot columns may be
// stored as dictionary codes.
#pragma once

#include "driftless/objectives/linear/linear_rows.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace driftless {

class SparseRows {
 public:
  SparseRows(const RowsView& data, RowList rows, const RowsOptions& options = {});

  Index dim() const { return dim_; }
  const RowBlocks& blocks() const { return blocks_; }
  Index used_columns() const { return used_columns_; }  // columns with an entry
  std::string layout() const;                           // for people
  std::size_t bytes() const;
  std::size_t entries() const;  // read by one product A x

  std::size_t width() const { return codes_ ? codes_->columns.rows() : static_cast<std::size_t>(dim_); }
  void spread(VecIn x, double* source) const;
  void add_products(std::size_t block, const double* source, double* z) const;
  void add_transposed(std::size_t block, const double* y, double* sum) const;
  void add_squares(std::size_t block, const double* y, double* sum) const;
  void collect(double* sum, VecOut g) const;

  double dot(std::size_t row, const double* x) const;
  void add(std::size_t row, double scale, double* g) const;
  void add_gram(const double* weights, double* triangle) const;
  std::size_t gram_passes() const { return gram_passes_; }

 private:
  struct Block {
    SlicedEll rows;
    std::optional<SlicedEll> columns;  // none where A'y by rows is as fast
  };
  // The map between codes and columns, in both directions.
  struct Codes {
    SlicedEll columns;  // of each code
    SlicedEll codes;    // of each column
  };

  using BlockOfRows = std::function<CsrMatrix(std::size_t first, std::size_t count)>;
  void make_blocks(std::size_t rows, std::size_t entries, std::size_t columns, const BlockOfRows& rows_of,
                   const RowsOptions& options);
  void sum_transposed(const Block& block, const double* y, double scale, double* sum) const;
  template <class Visit>
  void for_each_entry(std::size_t row, const Visit& visit) const;
  const CsrMatrix& sorted_rows(std::size_t block) const;

  Index dim_ = 0;
  Index used_columns_ = 0;
  std::size_t gram_passes_ = 0;
  double scale_ = 1.0;  // the value of all entries where no values are stored
  bool has_values_ = false;
  RowBlocks blocks_;
  std::vector<Block> matrices_;
  std::optional<Codes> codes_;
};

}  // namespace driftless
