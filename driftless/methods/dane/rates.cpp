#include "driftless/methods/dane/rates.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

const std::string jiang = "Jiang, Rodomanov, Stich, ICML 2024";

RoundCount dane_rounds(const RateInput& in) {
  return {.rounds = geometric_rounds(in.mu(), in.constants.delta_A, 0.5 * in.distance2, in.accuracy())};
}

RoundCount sonata_rounds(const RateInput& in) {
  return {.rounds = geometric_rounds(in.mu(), in.constants.delta_B, 0.5 * in.distance2, in.accuracy())};
}

RoundCount dane_plus_gd_rounds(const RateInput& in) {
  const double rounds = geometric_rounds(in.mu(), 2.0 * in.constants.delta_A, in.distance2, in.accuracy());
  const double ratio = std::max(1.0, in.constants.L / (in.constants.delta_A + in.mu()));
  // Σ_{r < R} ratio · ln(ratio (r + 1)), at least a step a round
  const double steps = std::max(1.0, ratio * (std::log(ratio) + std::lgamma(rounds + 1.0) / rounds)) * rounds;
  return {.rounds = rounds, .local_steps = std::ceil(steps)};
}

// η = μ/(2δ_A²) and p = 1/n
RoundCount svrp_rounds(const RateInput& in) {
  const double p = 1.0 / static_cast<double>(in.constants.clients);
  const double eta_mu = in.mu() * in.mu() / (2.0 * in.constants.delta_A * in.constants.delta_A);
  const auto [tau, weight] = svrp_contraction(eta_mu, p);
  const double first = (1.0 + weight) * in.distance2;  // V_0
  const double k = contraction_rounds(tau, 0.5 * in.constants.L_f * first, in.accuracy());
  return {.rounds = k, .coins = p * k};
}

std::string svrp_obstacle(const Constants& c) { return c.delta_A <= 0.0 ? "its step is infinite for δ_A = 0" : ""; }

}  // namespace

DriftContraction drift_contraction(double mu, double L) {
  return {.q = 2.0 * std::sqrt(mu) / (std::sqrt(L) + mu / std::sqrt(L) + 2.0 * std::sqrt(mu)),
          .weight = (mu + L) / (mu * L * (mu + L) + 2.0 * mu * L * std::sqrt(mu * L))};
}

SvrpContraction svrp_contraction(double eta_mu, double p) {
  return {.tau = std::min(eta_mu / (1.0 + eta_mu), p / 2.0), .weight = eta_mu / p};
}

RateInfo dane_rate() {
  return {.rounds = {rates::strongly_convex("(δ_A/μ) log(1/ε)"), rates::convex("δ_A R_0²/ε"), rates::non_convex("–")},
          .bound = RoundBound{.formula = "μ R_0²/(2((1 + μ/δ_A)^R − 1))",
                              .source = jiang,
                              .count = dane_rounds,
                              .position = 5,
                              .uses_similarity = true},
          .claims = {rates::similarity_claim(7)}};
}

RateInfo dane_plus_gd_rate() {
  using enum Quantity;
  return {.rounds = rates::similarity_rounds(),
          .proved_for = Convexity::any,
          .bound = RoundBound{.formula = "μ R_0²/((1 + μ/(2 δ_A))^R − 1)",
                              .source = jiang,
                              .count = dane_plus_gd_rounds,
                              .position = 6,
                              .uses_similarity = true},
          .claims = {rates::similarity_claim(8),
                     {.row = 8,
                      .rate = "L/delta_A, times a logarithm",
                      .measured = Measured::local_steps,
                      .exponents = {{smoothness, 1.0}, {dissimilarity, -1.0}},
                      .upper_bound = true}}};
}

RateInfo sonata_rate() {
  return {.rounds = {rates::strongly_convex("(δ_B/μ) log(1/ε)")},
          .proved_for = Convexity::strongly_convex,
          .bound = RoundBound{.formula = "μ R_0²/(2((1 + μ/δ_B)^R − 1)), as dane with λ = δ_B",
                              .source = jiang,
                              .count = sonata_rounds,
                              .position = 8,
                              .uses_similarity = true},
          .claims = {rates::similarity_claim(5, "(delta_B/mu) log(1/eps)")}};
}

RateInfo svrp_rate() {
  using enum Quantity;
  return {.rounds = {rates::strongly_convex("(n + δ_A²/μ²) log(1/ε) rounds of a few messages each")},
          .proved_for = Convexity::strongly_convex,
          .bound = RoundBound{.formula = "(L_f/2)(1 − τ)^R V_0, τ = min(ημ/(1 + ημ), 1/(2n)), one client a round",
                              .source = "Khaled, Jin, ICLR 2023; constants of an own proof",
                              .count = svrp_rounds,
                              .position = 9,
                              .uses_similarity = true,
                              .needs_strong_convexity = true,
                              .obstacle = svrp_obstacle},
          .claims = {{.row = 6,
                      .rate = "(n + delta_A²/mu²) log(1/eps)",
                      .exponents = {{smoothness, 0.0}, {convexity, -2.0}, {dissimilarity, 2.0}, {accuracy, 1.0}}}}};
}

}  // namespace driftless
