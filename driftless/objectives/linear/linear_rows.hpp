// What a linear model needs of a client's rows A, in whichever form they are kept. Rows are cut into blocks that stay
// in the cache while a pass goes forth and back, and blocks into parts that idle threads may take; both depend on the
// data alone, so the order of all sums is fixed.
//
//   Index dim()                          columns
//   const RowBlocks& blocks()
//   std::size_t width()                  numbers of what stands in for x in products, and for A'y in sums
//   void spread(x, double* source)       source ← what stands in for x
//   void add_products(b, source, z)      z += A_b x, for the rows of block b
//   void add_transposed(b, y, sum)       sum += what stands in for A_b'y
//   void add_squares(b, y, sum)          the same with the squares of the entries
//   void collect(sum, g)                 g += what `sum` stands in for
//   double dot(row, x);  void add(row, scale, g)       one row, without stand-ins
//
// Arrays that stand in have width() + 1 numbers, z and y one more than the block has rows: the last place of what is
// read is 0, the last of what is written has no meaning. x and g of dot and add are filled up to padded(dim).
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/kernels/sliced_ell.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace driftless {

using RowList = std::span<const std::int32_t>;

// auto decides from the data.
enum class CodeUse { automatic, never, always };

struct RowsOptions {
  EntryPrecision precision = EntryPrecision::float64;  // of entries that are kept at all
  CodeUse codes = CodeUse::automatic;                  // whether one-hot groups of columns are merged
};

constexpr std::size_t padded(std::size_t count) { return (count + 7) / 8 * 8; }

// The places of a row's entries in the arrays of a data set.
struct RowEntries {
  std::size_t begin;
  std::size_t end;
};
RowEntries entries_of(const Dataset& data, std::int32_t row);

class RowBlocks {
 public:
  RowBlocks() = default;
  // Blocks of about one size, `most_rows` at most; `most_parts`: as many as pay.
  RowBlocks(std::size_t rows, std::size_t most_rows, std::size_t most_parts);

  std::size_t rows() const { return rows_; }
  std::size_t count() const { return (rows_ + block_rows_ - 1) / block_rows_; }
  std::size_t block_of(std::size_t row) const { return row / block_rows_; }
  std::size_t first(std::size_t block) const { return block * block_rows_; }
  std::size_t size(std::size_t block) const { return std::min(block_rows_, rows_ - first(block)); }

  std::size_t parts() const { return parts_; }
  std::size_t first_of_part(std::size_t part) const { return count() * part / parts_; }  // and one past the last

 private:
  std::size_t rows_ = 0;
  std::size_t block_rows_ = 1;
  std::size_t parts_ = 1;
};

// How many parts pay for a pass over so many rows and entries, when every part has a sum of so many numbers of its own.
std::size_t worthwhile_parts(std::size_t rows, std::size_t entries, std::size_t width);

// Dense rows are faster when more than a third of the entries are nonzero, or half where lists would hold no values.
bool prefers_dense(const Dataset& data, RowList rows);

}  // namespace driftless
