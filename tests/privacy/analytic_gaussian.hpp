// The exact privacy of one Gaussian mechanism. Balle, Wang, "Improving the Gaussian mechanism for differential
// privacy", ICML 2018, Theorem 8: with z = σ/Δ, the smallest δ for ε is Φ(1/(2z) − εz) − e^ε Φ(−1/(2z) − εz).
#pragma once

#include <cmath>
#include <numbers>

namespace driftless {

inline double normal_below(double t) { return 0.5 * std::erfc(-t / std::numbers::sqrt2); }

inline double exact_delta(double noise, double epsilon) {
  const double shift = 0.5 / noise;
  return normal_below(shift - epsilon * noise) - std::exp(epsilon) * normal_below(-shift - epsilon * noise);
}

inline double exact_epsilon(double noise, double delta) {
  double low = 0.0;
  double high = 500.0;
  for (int step = 0; step < 100; ++step) {
    const double middle = 0.5 * (low + high);
    (exact_delta(noise, middle) > delta ? low : high) = middle;
  }
  return high;
}

}  // namespace driftless
