// A round ends at a random iteration T. M_t = V_t ρ^{−t} never grows in expectation and is never negative, so
// E[V_T ρ^{−T}] ≤ V_0 at such a time as well: the mean over seeds of V_T/bound_T is at most 1, each run with the bound
// of its own T. T is counted by the steps of the busiest client; where clients rest or are not sampled it is less than
// the number of iterations, which only makes the bound larger.
#include "driftless/methods/skipping/theorems.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

// V = distance + weight · correction, and its factor per iteration, or per round.
struct Potential {
  double weight = 0.0;
  double factor = 1.0;
};

enum class Per { iteration, round };
using TermsAt = PotentialTerms (*)(State, Scale);

// E V ≤ ρ^t V_0. What the potential is may depend on the length of x.
std::function<Check(State, Scale)> falling(std::function<Potential(Index)> potential, TermsAt terms_at, Per per) {
  return [potential = std::move(potential), terms_at, per, first = 0.0](State s, Scale scale) mutable -> Check {
    const Potential V = potential(s.x().size());
    const PotentialTerms terms = terms_at(s, scale);
    const double value = terms.distance + V.weight * terms.correction;
    if (s.round() == 0) return first = value, Check{};
    const double t = per == Per::iteration ? s.iterations() : double(s.round());
    return {.row = CheckedRow{.bound = std::pow(V.factor, t) * first,
                              .observed = value,
                              .rounding = terms.distance_rounding + V.weight * terms.correction_rounding}};
  };
}

std::function<Potential(Index)> always(Potential potential) {
  return [potential](Index) { return potential; };
}

Assumption full_gradients(std::size_t batch) {
  return condition("local steps use full gradients", "batch = " + std::to_string(batch), batch == 0);
}

Assumption strongly_convex(const TheoremFacts& facts) {
  return condition("every f_i is strongly convex", "μ = " + number(facts.constants.mu), facts.constants.mu > 0.0);
}

double square(double a) { return a * a; }

// mean‖x_i − x*‖² in place of ‖x − x*‖²: after a communication of some entries the clients differ in the others.
PotentialTerms terms_of_clients(State s, Scale scale) {
  PotentialTerms terms = correction_terms(s, scale);
  terms.distance =
      s.mean([&](const ClientObjective&, std::size_t i) { return scale.squared_distance(s.per_client("x_i")[i]); });
  terms.distance_rounding = scale.of_squared_distance(terms.distance, s.x());
  return terms;
}

}  // namespace

// V = ‖x − x*‖² + (γ/p)² mean‖h_i − ∇f_i(x*)‖², E V_{t+1} ≤ (1 − min(γμ, p²)) V_t
Theorems scaffnew_theorems(const ScaffnewOptions& o, const TheoremFacts& facts) {
  const Potential V{.weight = square(o.step / o.p), .factor = 1.0 - std::min(o.step * facts.mu(), o.p * o.p)};
  return {
      {.name = "Scaffnew, potential",
       .statement = "E V_t ≤ (1 − min(γμ, p²))^t V_0, V = ‖x − x*‖² + (γ/p)² mean‖h_i − ∇f_i(x*)‖², t local iterations",
       .source = "Mishchenko, Malinovsky, Stich, Richtárik, ICML 2022",
       .in_expectation = true,
       .assumptions = {facts.convex(), at_most("γ", o.step, "1/L", 1.0 / facts.constants.L), full_gradients(o.batch),
                       facts.optimum_known()},
       .after_round = falling(always(V), correction_terms, Per::iteration)}};
}

// The same potential. With q_rule = "condition" q_i is the smallest that the theorem allows for the client's own L_i.
Theorems gradskip_theorems(const GradSkipOptions& o, const TheoremFacts& facts) {
  const double p2 = o.p * o.p;
  const double L = facts.constants.L;
  const Potential V{.weight = square(o.step / o.p), .factor = 1.0 - std::min(o.step * facts.mu(), p2)};
  return {{.name = "GradSkip, potential",
           .statement = "E V_t ≤ (1 − min(γμ, p²))^t V_0, V = ‖x − x*‖² + (γ/p)² mean‖h_i − ∇f_i(x*)‖², t steps of the "
                        "busiest client",
           .source = "Maranjyan, Safaryan, Richtárik, 2022; an own proof",
           .in_expectation = true,
           .assumptions = {facts.convex(),
                           o.q_rule == GradSkipRule::condition
                               ? at_most("γ", o.step, "1/L", 1.0 / L)
                               : at_most("γ", o.step, "p²/(L (1 − q (1 − p²)))", p2 / (L * (1.0 - o.q * (1.0 - p2)))),
                           facts.optimum_known()},
           .after_round = falling(always(V), correction_terms, Per::iteration)}};
}

// V = ‖x̄ − x*‖² + γ²(n − 1)/(pη(s − 1)) mean‖h_i − ∇f_i(x*)‖², η = pχ, χ = n(s − 1)/(s(n − 1))
Theorems tamuna_theorems(const TamunaOptions& o, const TheoremFacts& facts) {
  const Constants& c = facts.constants;
  const double n = static_cast<double>(c.clients);
  const std::size_t cohort = o.sampling.size(c.clients);
  const double s = static_cast<double>(o.sparsity == 0 ? cohort : std::min(o.sparsity, cohort));
  const double owned = c.clients == 1 ? 1.0 : (s - 1.0) / (n - 1.0);
  const double fall = square(o.p) * (c.clients == 1 ? 1.0 : n / s * owned) * owned;  // pη(s − 1)/(n − 1)
  const Potential V{.weight = square(o.step) / fall, .factor = std::max(square(1.0 - o.step * facts.mu()), 1.0 - fall)};
  return {{.name = "TAMUNA, potential",
           .statement = "E V_t ≤ max((1 − γμ)², 1 − pη(s − 1)/(n − 1))^t V_0, V = ‖x̄ − x*‖² + γ²(n − 1)/(pη(s − 1)) "
                        "mean‖h_i − ∇f_i(x*)‖², η = pn(s − 1)/(s(n − 1)), t steps of the busiest client",
           .source = "Condat, Agarský, Malinovsky, Richtárik, 2023; an own proof",
           .in_expectation = true,
           .assumptions = {strongly_convex(facts), at_most("γ", o.step, "2/(L + μ)", 2.0 / (c.L + facts.mu())),
                           full_gradients(o.batch), facts.optimum_known()},
           .after_round = falling(always(V), correction_terms, Per::iteration)}};
}

// Ψ = ‖x − x*‖² + γ(n/c)(1/τ + 2/ℓ) Σ‖u_i − ∇F_i(x*)‖², ℓ = (L − μ)/n, ∇F_i(x*) = (∇f_i(x*) − μx*)/n
Theorems five_gcs_theorems(const FiveGcsOptions& o, const TheoremFacts& facts) {
  const Constants& constants = facts.constants;
  const double n = static_cast<double>(constants.clients);
  const double c = static_cast<double>(o.sampling.size(constants.clients));
  const double mu = o.local.mu;
  const double gamma = o.gamma > 0.0 ? o.gamma : 1.0 / (o.tau * n);
  const double l = (constants.L - mu) / n;
  const double weight = gamma * (n / c) * (1.0 / o.tau + 2.0 / l) * n;  // of the mean
  const double factor = std::max(1.0 / (1.0 + gamma * mu), 1.0 - c / n * 2.0 * o.tau / (l + 2.0 * o.tau));
  Assumption smooth = condition("μ < L", "μ = " + number(mu) + ", L = " + number(constants.L), l > 0.0);
  smooth.essential = true;
  return {{.name = "5GCS, potential",
           .statement = "E Ψ_r ≤ max(1/(1 + γμ), 1 − (c/n) 2τ/(ℓ + 2τ))^r Ψ_0, Ψ = ‖x − x*‖² + γ(n/c)(1/τ + 2/ℓ) "
                        "Σ‖u_i − ∇F_i(x*)‖², ℓ = (L − μ)/n",
           .source = "Grudzień, Malinovsky, Richtárik, AISTATS 2023; an own proof",
           .in_expectation = c < n,
           .assumptions = {at_most("μ", mu, "μ of every f_i", constants.mu), smooth,
                           at_most("γ τ", gamma * o.tau, "1/n", 1.0 / n),
                           condition("local solves are exact", "solver = " + toml_string(enum_name(o.local.solver)),
                                     o.local.solver == SolverName::exact),
                           facts.optimum_known()},
           .after_round = [weight, factor, mu, n, first = 0.0](State s, Scale scale) mutable -> Check {
             const double distance = scale.squared_distance(s.x());
             const double correction = s.mean([&](const ClientObjective&, std::size_t i) {
               const Vector optimal = (scale.optimal_gradients()[i] - mu * scale.optimum()) / n;
               return (s.per_client("u_i")[i] - optimal).squaredNorm();
             });
             const double potential = distance + weight * correction;
             if (s.round() == 0) return first = potential, Check{};
             const double error = scale.of_gradient(s.x()) / n;
             return {.row = CheckedRow{.bound = std::pow(factor, double(s.round())) * first,
                                       .observed = potential,
                                       .rounding = scale.of_squared_distance(distance, s.x()) +
                                                   weight * (2.0 * std::sqrt(correction) * error + error * error)}};
           }}};
}

// V = mean‖x_i − x*‖² + γ²(1 + ω)² mean‖u_i + ∇f_i(x*)‖², u_i = −h_i, 1 + ω = d/(p K)
Theorems randprox_theorems(const RandProxOptions& o, const TheoremFacts& facts) {
  const double mu = facts.mu();
  const auto potential = [o, mu](Index d) {
    const double inverse = o.p * static_cast<double>(kept_entries(o.keep, d)) / static_cast<double>(d);  // 1/(1 + ω)
    return Potential{.weight = square(o.step / inverse),
                     .factor = std::max(square(1.0 - o.step * mu), 1.0 - square(inverse))};
  };
  return {{.name = "RandProx, potential",
           .statement = "E V_t ≤ max((1 − γμ)², 1 − 1/(1 + ω)²)^t V_0, V = mean‖x_i − x*‖² + γ²(1 + ω)² "
                        "mean‖u_i + ∇f_i(x*)‖², 1 + ω = d/(p K), t local iterations",
           .source = "Condat, Richtárik, ICLR 2023; an own proof",
           .in_expectation = true,
           .assumptions = {facts.convex(), at_most("γ", o.step, "1/L", 1.0 / facts.constants.L),
                           full_gradients(o.batch), facts.optimum_known()},
           .after_round = falling(potential, terms_of_clients, Per::iteration)}};
}

}  // namespace driftless
