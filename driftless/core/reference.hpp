// The minimiser of f, where it is known.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct Reference {
  Vector minimizer;
  double minimum = 0.0;  // f there
  double error = 0.0;    // a bound on f(minimizer) − min f
};

}  // namespace driftless
