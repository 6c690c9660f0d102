// Exponentials and logarithms of many numbers at once; our own, so that every machine computes the same bits.
#pragma once

#include <span>

namespace driftless {

// results_j ← exp(x_j): infinite where that is too large. May overwrite x.
void exponentials(std::span<const double> x, std::span<double> results);
// results_j ← log(1 + x_j) for x_j ≥ 0. May overwrite x.
void logarithms_of_one_plus(std::span<const double> x, std::span<double> results);

}  // namespace driftless
