// Losses of predictions t = a'x against labels y, for many rows at once: values, slopes and curvatures in t.
#pragma once

#include "driftless/kernels/lane_sum.hpp"
#include "driftless/kernels/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace driftless {

// log(1 + exp(−y t)), y = ±1.
struct LogisticLoss {
  static constexpr std::string_view labels = "-1 or +1";
  static bool accepts(double label) { return label == 1.0 || label == -1.0; }

  // Σ over the rows.
  static double value(std::span<const double> t, std::span<const double> y) { return logistic_value(t, y); }
  // In place of the predictions, times `weight`; the second returns the value besides.
  static void slopes(std::span<double> t, std::span<const double> y, double weight) {
    logistic_slopes(t, y, weight, t);
  }
  static double value_slopes(std::span<double> t, std::span<const double> y, double weight) {
    return logistic_value_slopes(t, y, weight, t);
  }
  static void curvatures(std::span<double> t, double weight) { logistic_curvatures(t, weight, t); }
};

// ½(t − y)²
struct SquaredLoss {
  static constexpr std::string_view labels = "a finite number";
  static bool accepts(double label) { return std::isfinite(label); }

  static double value(std::span<const double> t, std::span<const double> y) {
    return 0.5 * lane_sum(t.size(), [&](std::size_t j) { return (t[j] - y[j]) * (t[j] - y[j]); });
  }
  static void slopes(std::span<double> t, std::span<const double> y, double weight) {
    for (std::size_t j = 0; j < t.size(); ++j) t[j] = weight * (t[j] - y[j]);
  }
  static double value_slopes(std::span<double> t, std::span<const double> y, double weight) {
    const double sum = value(t, y);
    slopes(t, y, weight);
    return sum;
  }
  static void curvatures(std::span<double> t, double weight) { std::ranges::fill(t, weight); }
};

}  // namespace driftless
