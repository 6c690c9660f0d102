// Remembers what theory outputs besides the last iterate: a geometrically weighted average of all iterates, or one of
// them.
#pragma once

#include "driftless/core/vector.hpp"

#include <cstddef>

namespace driftless {

struct IterateRecord {
  enum class Kind { weighted_average, pick };
  Kind kind = Kind::weighted_average;
  double q = 1.0;             // weighted_average: iterate k has weight q^{−k}; 1 = plain average
  double weight = 0.0;        // Σ_{j ≤ k} q^{k−j}: the sum of weights, rescaled so that it cannot overflow
  std::size_t countdown = 0;  // pick: keep the iterate that is this many steps ahead; 0 = none
  Vector point;

  void add(VecIn y) {
    if (kind == Kind::pick) {
      if (countdown > 0 && --countdown == 0) point = y;
      return;
    }
    weight = q * weight + 1.0;
    point += (y - point) / weight;
  }
};

}  // namespace driftless
