// A symmetric matrix of which one triangle is stored, in the order in which products read it: each entry a_ij is read
// once and serves both y_i += a_ij x_j and y_j += a_ij x_i. Immutable, so that many may share one.
//
// Layout: blocks of 8 rows, from the top. A block is two panels of 4 rows; a panel is a sequence of tiles of 8 columns,
// row after row inside a tile, up to and including the tile on the diagonal. The two tiles on the diagonal hold both
// triangles and serve their own rows only. Rows and columns that fill up the last block are zero.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/kernels/aligned_numbers.hpp"

#include <vector>

namespace driftless {

class PackedSymmetric {
 public:
  PackedSymmetric() = default;
  explicit PackedSymmetric(const Matrix& lower);  // what stands above the diagonal is not read

  Index dim() const { return dim_; }
  Matrix full() const;
  Vector diagonal() const;

  // out = A x, with the same bits on every machine. Idle threads take parts (core/parts.hpp), the number of which
  // depends on the dimension alone. out may be x.
  void product(VecIn x, VecOut out) const;

 private:
  std::size_t blocks() const { return bounds_.empty() ? 0 : bounds_.back(); }
  std::size_t parts() const { return bounds_.empty() ? 0 : bounds_.size() - 1; }
  std::size_t place(Index row, Index column) const;  // of an entry of the lower triangle or of a diagonal tile

  Index dim_ = 0;
  std::vector<std::size_t> bounds_;  // part k holds the blocks bounds_[k] … bounds_[k + 1] − 1
  AlignedNumbers entries_;
};

}  // namespace driftless
