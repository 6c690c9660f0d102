#include "driftless/methods/skipping/rates.hpp"

#include <cmath>

namespace driftless {
namespace {

// γ = 1/L and p = √(μ/L)
RoundCount scaffnew_rounds(const RateInput& in) {
  const double L = in.constants.L;
  const double mu = in.mu();
  const double first = in.distance2 + in.gradients2 / (L * mu);  // V_0/n with h_i = 0, (γ/p)² = 1/(L μ)
  const double k = contraction_rounds(mu / L, 0.5 * in.constants.L_f * first, in.accuracy());
  return {.rounds = std::ceil(std::sqrt(mu / L) * k), .local_steps = k};
}

}  // namespace

RateInfo scaffnew_rate() {
  using enum Quantity;
  return {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε)")},
          .bound = RoundBound{.formula = "(L_f/2)(1 − μ/L)^K V_0, R = √(μ/L) K on average",
                              .source = "Mishchenko, Malinovsky, Stich, Richtárik, ICML 2022",
                              .count = scaffnew_rounds,
                              .position = 3,
                              .needs_strong_convexity = true},
          .claims = {{.row = 4,
                      .rate = "sqrt(L/mu) log(1/eps)",
                      .exponents = {{smoothness, 0.5}, {convexity, -0.5}, {dissimilarity, 0.0}, {accuracy, 1.0}}},
                     {.row = 4,
                      .rate = "sqrt(L/mu)",
                      .measured = Measured::local_steps,
                      .exponents = {{smoothness, 0.5}, {convexity, -0.5}}}}};
}

}  // namespace driftless
