// A symmetric matrix of which one triangle is stored, in the order in which products read it: each entry a_ij is read
// once and serves both y_i += a_ij x_j and y_j += a_ij x_i. Immutable, so that many may share one.
//
// Layout: row after row, each from its first column to the end of the 8×8 block on the diagonal in which it lies. These
// blocks hold both triangles and serve their own rows only. What fills up the last one is zero.
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
  std::size_t place(Index row, Index column) const;  // of an entry at or left of its diagonal block

  Index dim_ = 0;
  std::vector<std::size_t> bounds_;  // part k holds the blocks bounds_[k] … bounds_[k + 1] − 1
  AlignedNumbers entries_;
};

}  // namespace driftless
