// The minimiser of f, where it is known.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

struct Reference {
  Vector minimizer;
  double minimum = 0.0;
};

}  // namespace driftless
