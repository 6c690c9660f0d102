// The inverse of an information matrix, or where it is singular a generalised one with what it cannot determine.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

class InformationInverse {
 public:
  // Symmetric and positive semidefinite up to rounding.
  explicit InformationInverse(const Matrix& information);

  const Matrix& inverse() const { return inverse_; }
  Index rank() const { return inverse_.rows() - missing_.cols(); }
  // Whether the information determines c'x for coefficients x.
  bool determines(VecIn c) const;

 private:
  void invert_what_can_be(const Matrix& correlations);

  Vector scale_;  // 1/√(diagonal): correlations do not depend on the units of the variables
  Matrix inverse_;
  Matrix missing_;  // orthonormal directions without information, one column each, of scaled coefficients
};

// The symmetric matrix with this lower triangle, row after row.
Matrix symmetric_of(VecIn triangle);
Vector triangle_of(const Matrix& symmetric);

}  // namespace driftless
