// Which point a run outputs besides the last x.
#pragma once

#include "driftless/core/options.hpp"

#include <array>

namespace driftless {

enum class OutputPoint {
  last,           // x^R
  best,           // the measured x of least f
  best_gradient,  // the measured x of least ‖∇f‖
  weighted,       // the weighted average of all local iterates that convex theory outputs
  uniform,        // one local iterate drawn uniformly, as non-convex theory outputs
};
template <>
struct EnumNames<OutputPoint> {
  static constexpr std::array<std::string_view, 5> value{"last", "best", "best-gradient", "weighted", "uniform"};
};

}  // namespace driftless
