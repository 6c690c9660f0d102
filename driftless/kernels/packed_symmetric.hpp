// A symmetric matrix of which one triangle is stored, in the order in which products read it: each entry a_ij is read
// once for both y_i += a_ij x_j and y_j += a_ij x_i. Immutable, so that objects may share one.
//
// Layout: row after row, each from its first column to the end of the 8×8 block on the diagonal that contains it. These
// blocks hold both triangles and are used for their own rows only. The last one is padded with zeros.
#pragma once

#include "driftless/core/vector.hpp"
#include "driftless/kernels/aligned_numbers.hpp"

#include <vector>

namespace driftless {

class PackedSymmetric {
 public:
  PackedSymmetric() = default;
  explicit PackedSymmetric(const Matrix& lower);  // entries above the diagonal are not read

  Index dim() const { return dim_; }
  Matrix full() const;
  Vector diagonal() const;
  void copy_triangle(double* triangle) const;  // row after row, without the entries above the diagonal

  // out = A x, with the same bits on every machine. Idle threads run chunks (core/chunks.hpp), the number of which
  // depends on the dimension alone. out may be x.
  void product(VecIn x, VecOut out) const;

 private:
  std::size_t blocks() const { return bounds_.empty() ? 0 : bounds_.back(); }
  std::size_t chunks() const { return bounds_.empty() ? 0 : bounds_.size() - 1; }
  std::size_t offset(Index row, Index column) const;  // of an entry at or left of its diagonal block

  Index dim_ = 0;
  std::vector<std::size_t> bounds_;  // chunk k holds the blocks bounds_[k] … bounds_[k + 1] − 1
  AlignedNumbers entries_;
};

}  // namespace driftless
