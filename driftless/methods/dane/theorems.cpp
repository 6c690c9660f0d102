// DANE and DANE+: exact and inexact local solves with the mean of the clients, one random client, and the drift rule.
#include "driftless/methods/dane/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

// ((μ + λ)/2)‖x^{r+1} − x^r‖² ≤ f(x^r) − f(x^{r+1})
Theorem exact_descent(double lambda, const TheoremFacts& facts) {
  return {.name = "DANE, descent",
          .statement = "((μ + λ)/2)‖x^{r+1} − x^r‖² ≤ f(x^r) − f(x^{r+1})",
          .source = dane_paper,
          .erratum = erratum_c,
          .assumptions = {facts.convex(), at_least("λ", lambda, "δ_A", facts.constants.delta_A)},
          .after_round = [fall = Descent((facts.mu() + lambda) / 2.0)](State s, Scale scale) mutable -> Check {
            return {.row = fall.row(s, scale)};
          }};
}

// f(x^R) − f* + (μ/2)‖x^R − x*‖² ≤ μR_0²/(2[(1 + μ/λ)^R − 1])
Theorem exact_rate(double lambda, const TheoremFacts& facts) {
  const double mu = facts.mu();
  return {.name = "DANE, rate",
          .statement = "f(x^R) − f* + (μ/2)‖x^R − x*‖² ≤ μR_0²/(2[(1 + μ/λ)^R − 1]), λR_0²/(2R) for μ = 0",
          .source = dane_paper,
          .metric = "f_gap",  // which is at most the left side
          .erratum = erratum_c,
          .assumptions = {facts.convex(), at_least("λ", lambda, "δ_A", facts.constants.delta_A), facts.optimum_known()},
          .after_round = [mu, lambda](State s, Scale scale) -> Check {
            if (s.round() == 0) return {};
            const double squared = scale.squared_distance(s.x());
            return {.row = CheckedRow{
                        .bound = geometric_bound(mu, lambda, scale.radius(), double(s.round())) / 2.0,
                        .observed = scale.gap(s.value()) + mu / 2.0 * squared,
                        .rounding = scale.of_value(s.value()) + mu / 2.0 * scale.of_squared_distance(squared, s.x())}};
          }};
}

Assumption exact_solves(SolverName solver) {
  return condition("local solves are exact", "solver = " + toml_string(enum_name(solver)), solver == SolverName::exact);
}

}  // namespace

// Φ^{r+1} ≤ ρΦ^r, Φ = ‖x − x*‖² + w·mean‖h_i − ∇f_i(x*)‖². The theorem has λ = m = √(μL); it holds for every smaller μ
// and larger L, so λ chooses them.
Theorem drift_theorem(std::string name, double lambda, const TheoremFacts& facts,
                      std::function<PotentialTerms(const Snapshot&, const TheoremScale&)> terms) {
  const bool below = lambda * lambda <= facts.mu() * facts.constants.L;
  const double L = below ? facts.constants.L : lambda * lambda / facts.mu();
  const double mu = below ? lambda * lambda / L : facts.mu();
  const auto [q, w] = drift_contraction(mu, L);
  const double rho = 1.0 - q;
  return {.name = std::move(name),
          .statement = "Φ^{r+1} ≤ ρΦ^r, Φ = ‖x − x*‖² + w·mean‖h_i − ∇f_i(x*)‖², ρ = " + number(rho) +
                       ", with the μ and L for which λ = √(μL): " + number(mu) + " and " + number(L),
          .source = dane_paper,
          .assumptions = {condition("every f_i is strongly convex", "μ = " + number(facts.constants.mu),
                                    facts.constants.mu > 0.0),
                          condition("λ > 0", "λ = " + number(lambda), lambda > 0.0), facts.optimum_known()},
          .after_round = [rho, w = w, terms = std::move(terms), before = 0.0](State s, Scale scale) mutable -> Check {
            const PotentialTerms at = terms(s, scale);
            const double phi = at.distance + w * at.correction;
            const CheckedRow row{
                .bound = rho * before, .observed = phi, .rounding = at.distance_rounding + w * at.correction_rounding};
            before = phi;
            return s.round() == 0 ? Check{} : Check{.row = row};
          }};
}

Theorems dane_theorems(const DaneOptions& o, const TheoremFacts& facts) {
  return {exact_descent(o.lambda, facts), exact_rate(o.lambda, facts)};
}

Theorems dane_plus_theorems(const DanePlusOptions& o, const TheoremFacts& facts) {
  if (o.control.control_variate == ControlVariateRule::none) return {};
  if (o.control.control_variate == ControlVariateRule::drift) {
    const double m = o.control.m > 0.0 ? o.control.m : o.lambda;
    Theorem drift = drift_theorem("DANE+ with drift, contraction", o.lambda, facts, correction_terms);
    drift.assumptions.push_back(condition("m = λ", "m = " + number(m), std::abs(m - o.lambda) <= 1e-9 * o.lambda));
    drift.assumptions.push_back(exact_solves(o.local.solver));
    return {std::move(drift)};
  }
  if (o.averaging == Averaging::random) return one_client_theorems(o, facts);
  if (o.local.solver != SolverName::exact) return inexact_theorems(o, facts);
  return {exact_descent(o.lambda, facts), exact_rate(o.lambda, facts)};
}

// With a = 1 and exact solves it is DANE with λ = τ.
Theorems sonata_theorems(const SonataOptions& o, const TheoremFacts& facts) {
  Theorems theorems{exact_descent(o.tau, facts), exact_rate(o.tau, facts)};
  for (Theorem& theorem : theorems) {
    theorem.name = "SONATA as " + theorem.name;
    theorem.assumptions.push_back(condition("a = 1", "a = " + number(o.step), o.step == 1.0));
    theorem.assumptions.push_back(exact_solves(o.local.solver));
  }
  return theorems;
}

}  // namespace driftless
