// Sums whose order is fixed by eight lanes, so that they need neither one long chain of additions nor vector
// instructions of a certain width.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>

namespace driftless {

inline constexpr std::size_t sum_lanes = 8;

// The lanes two by two, in a fixed order.
template <class Operation = std::plus<>>
double folded(const double* lanes, Operation op = {}) {
  return op(op(op(lanes[0], lanes[1]), op(lanes[2], lanes[3])), op(op(lanes[4], lanes[5]), op(lanes[6], lanes[7])));
}

// Σ term(k) for k < count
template <class Term>
double lane_sum(std::size_t count, const Term& term) {
  std::array<double, sum_lanes> lanes{};
  std::size_t k = 0;
  for (; k + sum_lanes <= count; k += sum_lanes)
    for (std::size_t lane = 0; lane < sum_lanes; ++lane) lanes[lane] += term(k + lane);
  for (std::size_t lane = 0; k + lane < count; ++lane) lanes[lane] += term(k + lane);
  return folded(lanes.data());
}
inline double lane_sum(std::span<const double> numbers) {
  return lane_sum(numbers.size(), [&](std::size_t k) { return numbers[k]; });
}

}  // namespace driftless
