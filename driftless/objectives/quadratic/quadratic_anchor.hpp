// A point p where a quadratic's value and gradient are known. Every quadratic obeys
//   f(x) = f(p) + ½⟨x − p, ∇f(x) + ∇f(p)⟩,
// which gives the value from the gradient without the cancellation of ½x'Ax − c'x + const.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct QuadraticAnchor {
  Vector point;      // p
  Vector gradient;   // ∇f(p)
  double value = 0;  // f(p)

  template <class G>
  double value_at(VecIn x, const Eigen::MatrixBase<G>& gradient_at_x) const {
    return value + 0.5 * (x - point).dot(gradient_at_x + gradient);
  }
};

}  // namespace driftless
