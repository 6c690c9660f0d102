// The logistic loss log(1 + exp(−y t)) of many predictions t = a'x and labels y = ±1 at once. Every exponential has a
// negative argument, so no margin overflows, and exp and log are our own, so that every machine computes the same bits.
#pragma once

#include <span>

namespace driftless {

// Σ_j log(1 + exp(−y_j t_j))
double logistic_value(std::span<const double> predictions, std::span<const double> labels);
// slopes_j ← weight · d/dt log(1 + exp(−y_j t)) at t_j. May overwrite the predictions.
void logistic_slopes(std::span<const double> predictions, std::span<const double> labels, double weight,
                     std::span<double> slopes);
// Both at once, for the price of the second.
double logistic_value_slopes(std::span<const double> predictions, std::span<const double> labels, double weight,
                             std::span<double> slopes);
// curvatures_j ← weight · d²/dt² at t_j. May overwrite the predictions.
void logistic_curvatures(std::span<const double> predictions, double weight, std::span<double> curvatures);

}  // namespace driftless
