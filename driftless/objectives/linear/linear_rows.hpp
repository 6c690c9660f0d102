// The rows A of one client, as a linear model uses them, in any form of storage. Rows are divided into blocks, which
// stay in the cache during one pass, and blocks are grouped into chunks, which idle threads may compute. Both depend on
// the data alone, so the order of all sums is fixed.
//
// Products work on transformed vectors: x̃ for x and s̃ for a sum A'y. Both have width() numbers; for dictionary codes
// these belong to codes, otherwise to columns.
//
//   Index dim()                          columns
//   const RowBlocks& blocks()
//   std::size_t width()                  length of x̃ and s̃
//   void spread(x, double* source)       source ← x̃
//   void add_products(b, source, z)      z += A_b x, for the rows of block b
//   void add_transposed(b, y, sum)       sum += s̃ of A_b'y
//   void add_squares(b, y, sum)          the same with the squares of the entries of A_b
//   void collect(sum, g)                 g += A'y, where sum = s̃
//   void add_gram(w, triangle)           triangle += A'diag(w)A, with w for all rows; see triangle_size()
//   std::size_t gram_passes()            what that costs, in passes over the rows
//   double dot(row, x);  void add(row, scale, g)       one row, without transformed vectors
//
// Arrays have one number more than their contents: width() + 1 for source and sum, rows of the block + 1 for z and y.
// The last number of an input is 0, the last of an output has no meaning. x and g of dot and add have length
// padded(dim).
#pragma once

#include "driftless/data/rows_view.hpp"
#include "driftless/kernels/sliced_ell.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

namespace driftless {

using RowList = std::span<const std::int32_t>;

// Whether one-hot groups of columns are merged into dictionary codes; automatic decides from the data.
enum class CodeUse { automatic, never, always };

struct RowsOptions {
  EntryPrecision precision = EntryPrecision::float64;  // of stored entries
  CodeUse codes = CodeUse::automatic;
};

constexpr std::size_t padded(std::size_t count) { return (count + 7) / 8 * 8; }

// The rows of a client as a view has them: each must lie in it.
void check_rows(const RowsView& data, RowList rows);

class RowBlocks {
 public:
  RowBlocks() = default;
  // Blocks of nearly equal size, at most `most_rows`, in at most `most_chunks` chunks.
  RowBlocks(std::size_t rows, std::size_t most_rows, std::size_t most_chunks);

  std::size_t rows() const { return rows_; }
  std::size_t count() const { return (rows_ + block_rows_ - 1) / block_rows_; }
  std::size_t block_of(std::size_t row) const { return row / block_rows_; }
  std::size_t first(std::size_t block) const { return block * block_rows_; }
  std::size_t size(std::size_t block) const { return std::min(block_rows_, rows_ - first(block)); }

  std::size_t chunks() const { return chunks_; }
  // The first block of a chunk; for chunk = chunks(), count().
  std::size_t first_of_chunk(std::size_t chunk) const { return count() * chunk / chunks_; }

 private:
  std::size_t rows_ = 0;
  std::size_t block_rows_ = 1;
  std::size_t chunks_ = 1;
};

// The number of chunks that is fastest for a pass over so many rows and entries, where every chunk has its own sum of
// `width` numbers.
std::size_t worthwhile_chunks(std::size_t rows, std::size_t entries, std::size_t width);

// Whether dense rows are faster: more than a third of the entries are nonzero, or half where sparse rows store no
// values.
bool prefers_dense(const RowsView& data, RowList rows);

}  // namespace driftless
