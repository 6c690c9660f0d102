// Bounds of L, μ and δ from consecutive points of a run: with D_i = ∇f_i(x⁺) − ∇f_i(x) and s = x⁺ − x,
//   L̂ = max_i ‖D_i‖/‖s‖ ≤ L,  μ̂ = min_i ⟨D_i, s⟩/‖s‖² ≥ μ,  δ̂_A² = (1/n) Σ ‖D_i − D̄‖²/‖s‖² ≤ δ_A²,
//   δ̂_B = max_i ‖D_i − D̄‖/‖s‖ ≤ δ_B.
// They are one-sided bounds of the constants that hold everywhere, and cost no Hessian products.
#pragma once

#include "driftless/federation/federation.hpp"

#include <limits>
#include <optional>

namespace driftless {

// NOLINTBEGIN(readability-identifier-naming): the letters of the papers
struct SecantBounds {
  std::size_t steps = 0;                                // long enough to be used
  double L = 0.0;                                       // at least
  double mu = std::numeric_limits<double>::infinity();  // at most
  double delta_A = 0.0;                                 // at least
  double delta_B = 0.0;                                 // at least
  double last_delta_A = 0.0;                            // of the last step alone
};
// NOLINTEND(readability-identifier-naming)

class SecantSampler {
 public:
  explicit SecantSampler(Federation& fed);

  void add(Federation& fed, const Vector& x);  // the next point; replicated
  const SecantBounds& bounds() const { return bounds_; }

 private:
  void take(Federation& fed, const Vector& step);

  std::optional<Vector> previous_;
  PerClient<Vector> gradient_;
  PerClient<Vector> change_;  // D_i
  SecantBounds bounds_;
};

}  // namespace driftless
