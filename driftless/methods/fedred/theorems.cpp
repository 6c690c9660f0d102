// FedRed, exact solver and gradient steps.
//
// Convex. One iteration gives, with V = ‖x̃ − x*‖² + mean‖x_i − x*‖², E[f(x̄_{k+1}) − f* + c_new V_{k+1}] ≤ c_old V_k. So
// with ρ = c_new/c_old the sum Σ_{j≤k} ρ^{j−1}(f(x̄_j) − f*) + ρ^k c_old V_k never grows in expectation, also up to the
// random iteration K at which a round ends. Of the gaps only those at communications are seen, x̄ = x̃ there; the others
// would add to the left side. Divided by ρ^K, which leaves each run with the bound of its own K:
//   observed = Σ_r ρ^{K_r − 1 − K}(f(x̃_r) − f*) + c_old V_K,   bound = ρ^{−K} c_old V_0,   E[observed/bound] ≤ 1.
#include "driftless/methods/fedred/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

Theorem convex(const FedRedOptions& o, const TheoremFacts& facts) {
  const bool exact = o.solver == FedRedSolver::exact;
  const double mu = std::max(mu_of_p(o, exact ? 1.0 : -1.0), 0.0);
  const double c_new = (exact ? o.eta + mu / 2.0 : o.eta - mu / 2.0) / 2.0;
  const double c_old = (exact ? o.eta : o.eta - mu) / 2.0;
  return {.name = exact ? "FedRed, exact steps, convex" : "FedRed-GD, convex",
          .statement = "E[Σ_r ρ^{K_r−1}(f(x̃_r) − f*) + ρ^K c V_K] ≤ c V_0, V = ‖x̃ − x*‖² + mean‖x_i − x*‖², c = " +
                       number(c_old) + ", ρ = " + number(c_new / c_old) + ", K local iterations; both sides over ρ^K",
          .source = fedred_paper,
          .erratum = exact ? "E-15: p ≤ 1 needs η ≥ λ; E-17: x̄ in the proof means x̃"
                           : "E-14: η = L is enough without noise; E-15: p ≤ 1 needs η ≥ λ + μ",
          .in_expectation = true,
          .assumptions = convex_assumptions(o, facts, mu, exact),
          .after_round = [gaps = WeightedGaps(c_new / c_old, c_old, c_old, o.restart)](State s, Scale scale) mutable
              -> Check { return s.round() == 0 ? Check{} : Check{.row = gaps.row(s, scale)}; }};
}

// E‖∇f(x̂)‖² ≤ c η F_0/K for x̂ drawn from all iterates; at a random K in the form E[K‖∇f(x̂)‖²] ≤ c η F_0.
Theorem any_f(const FedRedOptions& o, const TheoremFacts& facts) {
  const bool exact = o.solver == FedRedSolver::exact;
  const double delta = facts.constants.delta_B;
  const double factor = (exact ? 150.0 : 96.0 / 6.0) * o.eta;
  const double p = (exact ? 2.0 : 6.0) * o.lambda / o.eta;
  const bool known = facts.reference.has_value();
  return {
      .name = exact ? "FedRed, exact steps, any f" : "FedRed-GD, any f",
      .statement = exact ? "E‖∇f(x̂)‖² ≤ 150 η F_0/K, x̂ drawn from the iterates 1 … K"
                         : "E‖∇f(x̂)‖² ≤ 96 L F_0/K, L = η/6, x̂ drawn from the iterates 0 … K − 1",
      .source = fedred_paper,
      .erratum = exact ? "E-10: p = λ/η does not prove it, p = 2λ/η does; E-11: iterates 1 … K"
                       : "E-1: the proof needs the restart; E-16: λ/η = δ_B/(6L)",
      .in_expectation = true,
      .assumptions = {at_least("λ", o.lambda, "δ_B", delta),
                      exact ? at_least("η", o.eta, "4 λ", 4.0 * o.lambda)
                            : at_least("η", o.eta, "6 L", 6.0 * facts.constants.L),
                      condition(exact ? "p = 2λ/η" : "p = 6λ/η", "p = " + number(o.p) + ", needed " + number(p),
                                std::abs(o.p - p) <= 1e-9 * p),
                      condition("clients restart at x̃", o.restart ? "restart = true" : "restart = false", o.restart),
                      condition("the output is one of the iterates, drawn uniformly",
                                "output = " + toml_string(enum_name(facts.output)),
                                facts.output == OutputPoint::uniform)},
      .at_end = [factor, known](State s, Scale scale, const Vector& output) -> Check {
        const double K = s.iterations();
        if (K == 0.0) return {};
        const CheckedRow row{.round = s.round(),
                             .bound = factor * scale.first_gap() / K,
                             .observed = s.measure(output).gradient.squaredNorm(),
                             .rounding = factor * scale.of_value(s.value()) / K};
        if (!row.holds() && !known)
          return {.lost = condition("f* is known", "the least f seen stands for it and does not decide", false)};
        return {.row = row};
      }};
}

}  // namespace

double mu_of_p(const FedRedOptions& o, double sign) {
  const double excess = 2.0 * (o.p * o.eta - o.lambda);
  const double weight = 1.0 - sign * o.p;
  return weight > 0.0 ? excess / weight : (excess == 0.0 ? 0.0 : std::copysign(INFINITY, excess));
}

CheckedRow WeightedGaps::row(State s, Scale scale) {
  const double shrink = std::pow(rho_, last_ - s.iterations());
  last_ = s.iterations();
  sum_ = shrink * sum_ + scale.gap(s.value()) / rho_;
  sum_rounding_ = shrink * sum_rounding_ + scale.of_value(s.value()) / rho_;
  const double server = scale.squared_distance(s.x());
  const double clients = restart_ ? server : s.mean([&](const ClientObjective&, std::size_t i) {
    return scale.squared_distance(s.per_client("x_i")[i]);
  });
  return {.bound = std::pow(rho_, -s.iterations()) * (server_ + clients_) * scale.radius(),
          .observed = sum_ + server_ * server + clients_ * clients,
          .rounding = sum_rounding_ + server_ * scale.of_squared_distance(server, s.x()) +
                      clients_ * scale.of_squared_distance(clients, s.x())};
}

std::vector<Assumption> convex_assumptions(const FedRedOptions& o, const TheoremFacts& facts, double mu, bool exact) {
  return {facts.convex(),
          at_least("λ", o.lambda, "δ_A", facts.constants.delta_A),
          exact ? at_least("η", o.eta, "λ", o.lambda) : at_least("η", o.eta, "L", facts.constants.L),
          at_least("p", o.p, "λ/η", o.lambda / o.eta),
          at_most(exact ? "μ for which p = (λ + μ/2)/(η + μ/2)" : "μ for which p = (λ + μ/2)/(η − μ/2)", mu, "μ",
                  facts.mu()),
          condition("μ < η", "η = " + number(o.eta), mu < o.eta),
          facts.optimum_known()};
}

Theorems fedred_theorems(const FedRedOptions& o, const TheoremFacts& facts) {
  if (o.control.control_variate != ControlVariateRule::exact) return {};
  if (o.solver == FedRedSolver::sgd) return noisy_theorems(o, facts);
  return {o.averaging == Averaging::random ? any_f(o, facts) : convex(o, facts)};
}

}  // namespace driftless
