// A loss that exists in the tests only: log cosh(t − y). It shows that a loss needs no more than its struct; its
// curvature depends on the label, and for labels ±1 is not largest at t = 0.
#pragma once

#include "driftless/objectives/linear/losses.hpp"

namespace driftless::test {

template <Labels kind>
struct LogCoshLoss {
  static constexpr std::string_view name = kind == Labels::real ? "log-cosh" : "binary-log-cosh";
  static constexpr Labels labels = kind;
  static constexpr bool convex = true;
  static constexpr double curvature = 1.0;
  static constexpr double curvature_at_zero = kind == Labels::real ? 0.0 : 0.41997434161402603;  // 1/cosh²(1)
  static constexpr bool constant_curvature = false;

  static double value(std::span<const double> t, std::span<const double> y) {
    return lane_sum(t.size(), [&](std::size_t j) {
      const double r = std::abs(t[j] - y[j]);
      return r + std::log1p(std::exp(-2.0 * r)) - std::log(2.0);
    });
  }
  static void slopes(std::span<double> t, std::span<const double> y, double weight) {
    for (std::size_t j = 0; j < t.size(); ++j) t[j] = weight * std::tanh(t[j] - y[j]);
  }
  static double value_slopes(std::span<double> t, std::span<const double> y, double weight) {
    const double sum = value(t, y);
    slopes(t, y, weight);
    return sum;
  }
  static void curvatures(std::span<double> t, std::span<const double> y, double weight) {
    for (std::size_t j = 0; j < t.size(); ++j) {
      const double c = std::cosh(t[j] - y[j]);
      t[j] = weight / (c * c);
    }
  }
};

using RealLogCosh = LogCoshLoss<Labels::real>;
using BinaryLogCosh = LogCoshLoss<Labels::binary>;

}  // namespace driftless::test
