#include "driftless/methods/primal_dual/rates.hpp"

#include "driftless/methods/dane/rates.hpp"

namespace driftless {
namespace {

// With exact solves and α = √(μL) the iterates are those of DANE+ with drift corrections, from h_i = 0.
RoundCount feddyn_rounds(const RateInput& in) {
  const DriftContraction drift = drift_contraction(in.mu(), in.constants.L);
  const double first = in.distance2 + drift.weight * in.gradients2;  // Φ_0
  return {.rounds = contraction_rounds(drift.q, 0.5 * in.constants.L_f * first, in.accuracy())};
}

}  // namespace

RateInfo feddyn_rate() {
  using enum Quantity;
  return {.rounds = {rates::strongly_convex("√(L/μ) log(1/ε) with exact solves and α = √(μL)"),
                     rates::strongly_convex("in general (L/μ) log(1/ε)")},
          .proved_for = Convexity::any,
          .bound = RoundBound{.formula = "(L_f/2) ρ^R Φ_0, 1 − ρ of the order √(μ/L)",
                              .source = "Jiang, Rodomanov, Stich, ICML 2024",
                              .count = feddyn_rounds,
                              .position = 4,
                              .needs_strong_convexity = true},
          .claims = {{.row = 3,
                      .rate = "(L/mu) log(1/eps)",
                      .exponents = {{smoothness, 1.0}, {convexity, -1.0}, {dissimilarity, 0.0}, {accuracy, 1.0}},
                      .upper_bound = true}}};
}

}  // namespace driftless
