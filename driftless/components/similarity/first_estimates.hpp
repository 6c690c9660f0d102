// What one gradient exchange tells of λ and μ before there are two points to compare. With g_i = ∇f_i(x) and their mean
// g, each client sends four numbers:
//
//   ‖g_i‖²,   L_i = ‖∇f_i(x − t g_i) − g_i‖/(t ‖g_i‖),   μ_i, μ_i²;   μ_i is the convexity that f_i is known to have
//
//   λ_0 = L √((1/n) Σ ‖g_i − g‖² / ((1/n) Σ ‖g_i‖²)),  L the mean of the L_i, but at least 1e-3 L
//   μ   = m − √((n − 1) ((1/n) Σ μ_i² − m²)),  m the mean of the μ_i: it is at most the least μ_i (Samuelson)
//
// λ_0 is a guess: gradients of clients that are alike are alike. t makes a step of 1e-4 (1 + ‖x‖). μ is the known
// coefficient of an ℓ2 term for convex losses, otherwise 0.
#pragma once

#include "driftless/federation/federation.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

struct FirstEstimates {
  static constexpr Index count = 4;  // numbers per client

  double lambda = 1.0;  // λ_0
  double mu = 0.0;      // μ

  // In a body that has formed ∇f_i(x). One gradient more.
  static void measure(Client& i, const Vector& x, VecIn gradient, VecOut numbers) {
    const double norm = gradient.norm();
    double L = 0.0;
    if (norm > 0.0) {
      const double length = 1e-4 * (1.0 + x.norm());
      Vector moved(x.size());
      i.gradient(x - (length / norm) * gradient, moved);
      L = (moved - gradient).norm() / length;
    }
    const auto floor = i.curvature_floor();
    const double mu = floor ? std::max(floor->least, 0.0) : 0.0;
    numbers << norm * norm, L, mu, mu * mu;
  }

  // From the means of those numbers over n clients, and ∇f(x).
  static FirstEstimates from(const Vector& means, const Vector& gradient, std::size_t n) {
    const double spread = means[0] - gradient.squaredNorm();
    const double share = means[0] > 0.0 ? std::sqrt(std::clamp(spread / means[0], 1e-6, 1.0)) : 1.0;
    const double guess = means[1] * share;
    const double variance = std::max(means[3] - means[2] * means[2], 0.0);
    const double most_below = std::sqrt(static_cast<double>(n - 1) * variance);
    return {.lambda = guess > 0.0 && std::isfinite(guess) ? guess : 1.0, .mu = std::max(means[2] - most_below, 0.0)};
  }
};

}  // namespace driftless
