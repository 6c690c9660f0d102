#include "driftless/methods/baselines/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

const std::string textbook = "Nesterov, Introductory lectures on convex optimization, 2004";

Check nothing_yet() { return {}; }

// ‖x_k − x*‖² ≤ (1 − γμ_f)^k R_0²
Theorem gd_contraction(double step, const TheoremFacts& facts, const std::vector<Assumption>& shared) {
  const double rate = std::log1p(-std::min(step * facts.constants.mu_f, 1.0));
  Theorem theorem{.name = "GD, strongly convex",
                  .statement = "‖x_k − x*‖² ≤ (1 − γμ_f)^k R_0²",
                  .source = textbook,
                  .assumptions = shared,
                  .after_round = [rate](State s, Scale scale) -> Check {
                    if (s.round() == 0) return nothing_yet();
                    const double squared = scale.squared_distance(s.x());
                    return {.row = CheckedRow{.bound = std::exp(double(s.round()) * rate) * scale.radius(),
                                              .observed = squared,
                                              .rounding = scale.of_squared_distance(squared, s.x())}};
                  }};
  theorem.assumptions.push_back(
      condition("f is strongly convex", "μ_f = " + number(facts.constants.mu_f), facts.constants.mu_f > 0.0));
  theorem.assumptions.push_back(facts.optimum_known());
  return theorem;
}

// f(x_k) − f* ≤ R_0²/(2γk)
Theorem gd_convex(double step, const TheoremFacts& facts, const std::vector<Assumption>& shared) {
  Theorem theorem{.name = "GD, convex",
                  .statement = "f(x_k) − f* ≤ R_0²/(2γk)",
                  .source = textbook,
                  .metric = "f_gap",
                  .assumptions = shared,
                  .after_round = [step](State s, Scale scale) -> Check {
                    if (s.round() == 0) return nothing_yet();
                    return {.row = CheckedRow{.bound = scale.radius() / (2.0 * step * double(s.round())),
                                              .observed = scale.gap(s.value()),
                                              .rounding = scale.of_value(s.value())}};
                  }};
  theorem.assumptions.push_back(facts.mean_convex());
  theorem.assumptions.push_back(facts.optimum_known());
  return theorem;
}

// min_{k < K} ‖∇f(x_k)‖² ≤ 2F_0/(γK)
Theorem gd_non_convex(double step, const std::vector<Assumption>& shared) {
  return {.name = "GD, any f",
          .statement = "min_{k<K} ‖∇f(x_k)‖² ≤ 2F_0/(γK); the least f seen stands for f* where that is not known",
          .source = textbook,
          .assumptions = shared,
          .after_round = [step, least = 0.0, next = 0.0](State s, Scale scale) mutable -> Check {
            // x_K itself is not among the k < K of round K.
            least = s.round() == 1 ? next : std::min(least, next);
            next = s.squared_gradient();
            if (s.round() == 0) return nothing_yet();
            const double factor = 2.0 / (step * double(s.round()));
            return {.row = CheckedRow{.bound = factor * scale.first_gap(),
                                      .observed = least,
                                      .rounding = factor * scale.of_value(s.value())}};
          }};
}

}  // namespace

Theorems gd_theorems(const GdOptions& o, const TheoremFacts& facts) {
  const std::vector<Assumption> shared{at_most("γ", o.step, "1/L_f", 1.0 / facts.constants.L_f),
                                       condition("gradients are sent as they are",
                                                 "compressor = " + toml_string(enum_name(o.code.compressor.compressor)),
                                                 o.code.compressor.compressor == CompressorName::identity)};
  return {gd_contraction(o.step, facts, shared), gd_convex(o.step, facts, shared), gd_non_convex(o.step, shared)};
}

// Strongly convex: f(x_k) − f* ≤ ((1/γ + μ)/2) R_0² (1 − √(γμ))^k; convex: f(x_k) − f* ≤ 2R_0²/(γ(k + 1)²)
Theorems agd_theorems(const AgdOptions& o, const TheoremFacts& facts) {
  const bool strong = o.mu > 0.0;
  const auto bound = [o, strong](double k, double radius) {
    return strong ? (1.0 / o.step + o.mu) / 2.0 * radius * std::exp(k * std::log1p(-std::sqrt(o.step * o.mu)))
                  : 2.0 * radius / (o.step * (k + 1.0) * (k + 1.0));
  };
  return {{.name = strong ? "AGD, strongly convex" : "AGD, convex",
           .statement = strong ? "f(x_k) − f* ≤ ((1/γ + μ)/2) R_0² (1 − √(γμ))^k" : "f(x_k) − f* ≤ 2R_0²/(γ(k + 1)²)",
           .source = textbook,
           .metric = "f_gap",
           .assumptions = {at_most("γ", o.step, "1/L_f", 1.0 / facts.constants.L_f),
                           at_most("μ", o.mu, "μ_f", facts.mu_f()), facts.optimum_known()},
           .after_round = [bound](State s, Scale scale) -> Check {
             if (s.round() == 0) return nothing_yet();
             return {.row = CheckedRow{.bound = bound(double(s.round()), scale.radius()),
                                       .observed = scale.gap(s.value()),
                                       .rounding = scale.of_value(s.value())}};
           }}};
}

}  // namespace driftless
