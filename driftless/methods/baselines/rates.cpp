#include "driftless/methods/baselines/rates.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using namespace rates;

const std::string nesterov_book = "Nesterov, Introductory lectures on convex optimization, 2004";

RoundCount gd_rounds(const RateInput& in) {
  const double L = in.constants.L_f;
  const double k = in.mu_f() > 0.0 ? contraction_rounds(in.mu_f() / L, 0.5 * L * in.distance2, in.accuracy())
                                   : std::ceil(0.5 * L * in.distance2 / in.accuracy());
  return {.rounds = k, .local_steps = k};
}

RoundCount agd_rounds(const RateInput& in) {
  const double L = in.constants.L_f;
  const double mu = in.mu_f();
  const double k = mu > 0.0 ? contraction_rounds(std::sqrt(mu / L), 0.5 * (L + mu) * in.distance2, in.accuracy())
                            : std::ceil(std::sqrt(2.0 * L * in.distance2 / in.accuracy()) - 1.0);
  return {.rounds = std::max(k, 0.0), .local_steps = std::max(k, 0.0)};
}

ClaimedRate condition_number(int row) {
  using enum Quantity;
  return {.row = row,
          .rate = "(L/mu) log(1/eps)",
          .exponents = {{smoothness, 1.0}, {convexity, -1.0}, {dissimilarity, 0.0}, {accuracy, 1.0}}};
}

}  // namespace

RateInfo gd_rate() {
  return {.rounds = {strongly_convex("(L/μ) log(1/ε)"), convex("L R_0²/ε"), non_convex("L F_0/ε")},
          .proved_for = Convexity::any,
          .bound =
              RoundBound{
                  .formula = "(L_f/2)(1 − μ_f/L_f)^R R_0²", .source = nesterov_book, .count = gd_rounds, .position = 1},
          .claims = {condition_number(1)}};
}

RateInfo agd_rate() {
  return {.rounds = {strongly_convex("√(L/μ) log(1/ε)"), convex("√(L R_0²/ε)")},
          .bound = RoundBound{.formula = "((L_f + μ_f)/2)(1 − √(μ_f/L_f))^R R_0²",
                              .source = nesterov_book,
                              .count = agd_rounds,
                              .position = 2}};
}

RateInfo scaffold_rate() {
  return {.rounds = {strongly_convex("(L/μ) log(1/ε)"), quadratic("((L + δ_B K)/(μ K)) log(1/ε)")},
          .proved_for = Convexity::any,
          .claims = {condition_number(2)}};
}

}  // namespace driftless
