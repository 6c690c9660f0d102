// What every kernel agrees on so that all instruction sets give the same bits: sums run in eight lanes, whatever the
// width of a register, and the lanes are added in one order.
#pragma once

#include <cstddef>

namespace driftless {

inline constexpr std::size_t lanes = 8;

// Two by two.
template <class Operation>
double folded(const double* lane, Operation op) {
  return op(op(op(lane[0], lane[1]), op(lane[2], lane[3])), op(op(lane[4], lane[5]), op(lane[6], lane[7])));
}

}  // namespace driftless
