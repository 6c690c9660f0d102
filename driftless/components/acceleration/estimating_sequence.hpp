// The weights of Nesterov's estimating sequence in A/B form, as the accelerated similarity methods use them.
//
//   A_0 = 0, B_0 = 1
//   a > 0 with  λ a² = (A + a) B            (extragradient form: Acc-S-DANE, AEGS)
//         or    λ a² = (A + a)(B + σ a)     (coupled form: SPAG, needs λ > σ)
//   y = (A x + a v)/(A + a),   v⁺ = (B v + μ a x⁺ − a ḡ)/(B + μ a)
//   A ← A + a,  B ← B + μ a
//
// Invariant: B = 1 + μ A. With μ = 0 and constant λ, A_r ≥ r²/(4λ). All formulas are homogeneous in (A, B, a), so both
// are scaled down, by a power of two, long before they overflow; the invariant then holds up to that factor.
#pragma once

#include "driftless/core/vector.hpp"

#include <cmath>

namespace driftless {

struct EstimatingSequence {
  double A = 0.0;
  double B = 1.0;

  double weight(double lambda) const {  // λ a² = (A + a) B
    return (B + std::sqrt(B * B + 4.0 * lambda * A * B)) / (2.0 * lambda);
  }
  double coupled_weight(double lambda, double sigma) const {  // (λ − σ) a² − (B + σ A) a − A B = 0
    const double b = B + sigma * A;
    return (b + std::sqrt(b * b + 4.0 * (lambda - sigma) * A * B)) / (2.0 * (lambda - sigma));
  }

  Vector query(double a, const Vector& x, const Vector& v) const { return (A * x + a * v) / (A + a); }
  Vector follow(double a, double mu, const Vector& v, const Vector& x_new, const Vector& gradient) const {
    return (B * v + mu * a * x_new - a * gradient) / (B + mu * a);
  }

  void advance(double a, double mu) {
    A += a;
    B += mu * a;
    while (B > 0x1p300) {
      A *= 0x1p-300;
      B *= 0x1p-300;
    }
  }
};

}  // namespace driftless
