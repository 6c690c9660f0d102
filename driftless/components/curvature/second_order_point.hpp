// What one exchange brings of a point where clients send their Hessians: f, ∇f and ∇²f, in the coordinates of the
// method.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct SecondOrderPoint {
  Vector z;
  double f = 0.0;
  Vector g;
  Matrix H;
};

}  // namespace driftless
