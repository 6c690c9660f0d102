// scaffnew and svrp: potentials that fall in expectation.
//
// A round of scaffnew ends at a random iteration T. M_t = V_t (1 − τ)^{−t} never grows in expectation and is never
// negative, so E[V_T (1 − τ)^{−T}] ≤ V_0 at such a time as well: the mean over seeds of V_T/bound_T is at most 1, each
// run with the bound of its own T.
#include "driftless/methods/catalog_entry.hpp"
#include "driftless/methods/scaffnew.hpp"
#include "driftless/methods/svrp.hpp"
#include "driftless/run/theorem.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

double decay(double rate, double steps) { return std::exp(steps * std::log1p(-rate)); }  // (1 − rate)^steps

Assumption full_gradients(std::size_t batch) {
  return condition("local steps use full gradients", "batch = " + std::to_string(batch), batch == 0);
}

// V = ‖x − x*‖² + (γ/p)² mean‖h_i − ∇f_i(x*)‖², E V_{t+1} ≤ (1 − min(γμ, p²)) V_t
Theorem scaffnew_theorem(const ScaffnewOptions& o, const TheoremFacts& facts) {
  const double rate = std::min(o.step * facts.mu(), o.p * o.p);
  const double weight = o.step * o.step / (o.p * o.p);
  return {
      .name = "Scaffnew, potential",
      .statement = "E V_t ≤ (1 − min(γμ, p²))^t V_0, V = ‖x − x*‖² + (γ/p)² mean‖h_i − ∇f_i(x*)‖², t local iterations",
      .source = "Mishchenko, Malinovsky, Stich, Richtárik, ICML 2022",
      .in_expectation = true,
      .assumptions = {facts.convex(), at_most("γ", o.step, "1/L", 1.0 / facts.constants.L), full_gradients(o.batch),
                      facts.optimum_known()},
      .after_round = [rate, weight, first = 0.0](State s, Scale scale) mutable -> Check {
        const PotentialTerms terms = correction_terms(s, scale);
        const double potential = terms.distance + weight * terms.correction;
        if (s.round() == 0) return first = potential, Check{};
        return {.row = CheckedRow{.bound = decay(rate, s.iterations()) * first,
                                  .observed = potential,
                                  .rounding = terms.distance_rounding + weight * terms.correction_rounding}};
      }};
}

// V = ‖x − x*‖² + (ημ/p)‖w − x*‖², E V_k ≤ (1 − τ)^k V_0
Theorem svrp_theorem(const SvrpOptions& o, const TheoremFacts& facts) {
  const Constants& c = facts.constants;
  const double contraction = o.step * facts.mu();
  const double rate = std::min(contraction / (1.0 + contraction), o.p / 2.0);
  const double weight = contraction / o.p;
  return {.name = "SVRP, potential",
          .statement = "E V_k ≤ (1 − τ)^k V_0, V = ‖x − x*‖² + (ημ/p)‖w − x*‖², τ = min(ημ/(1 + ημ), p/2)",
          .source = "Khaled, Jin, ICLR 2023; derived anew",
          .in_expectation = true,
          .assumptions = {condition("every f_i is strongly convex", "μ = " + number(c.mu), c.mu > 0.0),
                          at_most("η", o.step, "μ/(2δ_A²)", c.mu / (2.0 * c.delta_A * c.delta_A)),
                          condition("local solves are exact", "solver = " + toml_string(enum_name(o.local.solver)),
                                    o.local.solver == SolverName::exact),
                          facts.optimum_known()},
          .after_round = [rate, weight](State s, Scale scale) -> Check {
            if (s.round() == 0) return {};
            const Vector& w = s.vector("w");
            const double x_squared = scale.squared_distance(s.x());
            const double w_squared = scale.squared_distance(w);
            return {.row = CheckedRow{.bound = decay(rate, double(s.round())) * (1.0 + weight) * scale.radius(),
                                      .observed = x_squared + weight * w_squared,
                                      .rounding = scale.of_squared_distance(x_squared, s.x()) +
                                                  weight * scale.of_squared_distance(w_squared, w)}};
          }};
}

}  // namespace

Theorems potential_theorems(const MethodConfig& method, const TheoremFacts& facts) {
  const MethodEntry& entry = find_method(method.name);
  if (method.name == "scaffnew")
    return {scaffnew_theorem(detail::read_options<Scaffnew>(entry, method.settings), facts)};
  if (method.name == "svrp") return {svrp_theorem(detail::read_options<Svrp>(entry, method.settings), facts)};
  return {};
}

}  // namespace driftless
