// The rows of a client as lists of places, once by rows and, where that is faster, once more by columns. Where all
// entries are equal only their places are kept; where columns are one-hot groups, rows may be a few codes instead.
#pragma once

#include "driftless/objectives/linear/linear_rows.hpp"

#include <optional>
#include <vector>

namespace driftless {

class SparseRows {
 public:
  SparseRows(const Dataset& data, RowList rows, const RowsOptions& options = {});

  Index dim() const { return dim_; }
  const RowBlocks& blocks() const { return blocks_; }
  Index used_columns() const { return used_columns_; }  // by some row
  std::string layout() const;                           // in words
  std::size_t bytes() const;
  std::size_t entries() const;  // that a product goes through, in one direction

  std::size_t width() const { return codes_ ? codes_->columns.targets() : static_cast<std::size_t>(dim_); }
  void spread(VecIn x, double* source) const;
  void add_products(std::size_t block, const double* source, double* z) const;
  void add_transposed(std::size_t block, const double* y, double* sum) const;
  void add_squares(std::size_t block, const double* y, double* sum) const;
  void collect(double* sum, VecOut g) const;

  double dot(std::size_t row, const double* x) const;
  void add(std::size_t row, double scale, double* g) const;

 private:
  struct Block {
    IndexLists rows;
    std::optional<IndexLists> columns;  // none where going through the rows is as fast
  };
  // Between codes and columns, in both directions.
  struct Codes {
    IndexLists columns;  // of each code
    IndexLists codes;    // of each column
  };

  void read(const Dataset& data, RowList rows, ListsOfPlaces& lists);
  void make_blocks(const ListsOfPlaces& lists, const RowsOptions& options);
  void sum_transposed(const Block& block, const double* y, double scale, double* sum) const;
  template <class Visit>
  void for_each_entry(std::size_t row, const Visit& visit) const;

  Index dim_ = 0;
  Index used_columns_ = 0;
  double scale_ = 1.0;  // the value of all entries where no values are kept
  bool has_values_ = false;
  RowBlocks blocks_;
  std::vector<Block> lists_;
  std::optional<Codes> codes_;
};

}  // namespace driftless
