// Losses of predictions t = a'x against labels y, for many rows at once. Adding a loss: write its struct here, append
// it to `Losses` at the end of this file, and add its numbers to tests/objectives/losses_test.cpp. The configuration,
// the contract tests and `driftless inspect` take it from the list.
//
// A loss has these static members; `loss` is the function of one prediction and one label:
//   name                        value of problem.kind
//   labels                      the labels it is defined for
//   convex                      in t, for every label
//   curvature                   upper bound of ∂²loss/∂t² over all predictions and labels
//   curvature_at_zero           lower bound of ∂²loss/∂t² at t = 0 over all labels; 0 where there is no positive one
//   constant_curvature          ∂²loss/∂t² = curvature for all predictions and labels
//   value(t, y)                 Σ_j loss(t_j, y_j)
//   slopes(t, y, weight)        t_j ← weight ∂loss/∂t
//   value_slopes(t, y, weight)  the same, and returns the value
//   curvatures(t, y, weight)    t_j ← weight ∂²loss/∂t²
#pragma once

#include "driftless/data/dataset.hpp"
#include "driftless/kernels/lane_sum.hpp"
#include "driftless/kernels/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <string_view>
#include <tuple>

namespace driftless {

template <class L>
concept LinearLoss = requires(std::span<double> t, std::span<const double> y, double weight) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::labels } -> std::convertible_to<Labels>;
  { L::convex } -> std::convertible_to<bool>;
  { L::curvature } -> std::convertible_to<double>;
  { L::curvature_at_zero } -> std::convertible_to<double>;
  { L::constant_curvature } -> std::convertible_to<bool>;
  { L::value(t, y) } -> std::same_as<double>;
  { L::slopes(t, y, weight) };
  { L::value_slopes(t, y, weight) } -> std::same_as<double>;
  { L::curvatures(t, y, weight) };
};

// log(1 + exp(−y t))
struct LogisticLoss {
  static constexpr std::string_view name = "logistic";
  static constexpr Labels labels = Labels::binary;
  static constexpr bool convex = true;
  static constexpr double curvature = 0.25;
  static constexpr double curvature_at_zero = 0.25;
  static constexpr bool constant_curvature = false;

  static double value(std::span<const double> t, std::span<const double> y) { return logistic_value(t, y); }
  static void slopes(std::span<double> t, std::span<const double> y, double weight) {
    logistic_slopes(t, y, weight, t);
  }
  static double value_slopes(std::span<double> t, std::span<const double> y, double weight) {
    return logistic_value_slopes(t, y, weight, t);
  }
  static void curvatures(std::span<double> t, std::span<const double> /*y*/, double weight) {
    logistic_curvatures(t, weight, t);
  }
};

// ½(t − y)²
struct SquaredLoss {
  static constexpr std::string_view name = "least-squares";
  static constexpr Labels labels = Labels::real;
  static constexpr bool convex = true;
  static constexpr double curvature = 1.0;
  static constexpr double curvature_at_zero = 1.0;
  static constexpr bool constant_curvature = true;

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
  static void curvatures(std::span<double> t, std::span<const double> /*y*/, double weight) {
    std::ranges::fill(t, weight);
  }
};

// All losses, in the order in which messages list them.
using Losses = std::tuple<LogisticLoss, SquaredLoss>;

inline bool is_label(Labels labels, double label) {
  return labels == Labels::binary ? label == 1.0 || label == -1.0 : std::isfinite(label);
}
constexpr std::string_view allowed_labels(Labels labels) {
  return labels == Labels::binary ? "-1 or +1" : "a finite number";
}

}  // namespace driftless
