// Losses of one prediction t = a'x against one label y: value, slope and curvature in t.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

namespace driftless {

// log(1 + exp(−y t)), y = ±1. Every exponential has a negative argument, so no margin overflows.
struct LogisticLoss {
  static constexpr std::string_view labels = "-1 or +1";
  static bool accepts(double label) { return label == 1.0 || label == -1.0; }

  static double value(double prediction, double label) {
    const double margin = label * prediction;
    return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
  }
  static double slope(double prediction, double label) { return -label * sigmoid(-label * prediction); }
  static double curvature(double prediction, double /*label*/) {
    const double tail = std::exp(-std::abs(prediction));
    return tail / ((1.0 + tail) * (1.0 + tail));
  }

  // 1/(1 + exp(−t))
  static double sigmoid(double t) {
    const double tail = std::exp(-std::abs(t));
    return (t >= 0.0 ? 1.0 : tail) / (1.0 + tail);
  }
};

// ½(t − y)²
struct SquaredLoss {
  static constexpr std::string_view labels = "a finite number";
  static bool accepts(double label) { return std::isfinite(label); }

  static double value(double prediction, double label) { return 0.5 * (prediction - label) * (prediction - label); }
  static double slope(double prediction, double label) { return prediction - label; }
  static double curvature(double /*prediction*/, double /*label*/) { return 1.0; }
};

}  // namespace driftless
