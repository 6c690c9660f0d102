// SVRP: a potential that falls in expectation.
#include "driftless/methods/dane/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

using State = const Snapshot&;
using Scale = const TheoremScale&;

double decay(double rate, double steps) { return std::exp(steps * std::log1p(-rate)); }  // (1 − rate)^steps

}  // namespace

// V = ‖x − x*‖² + (ημ/p)‖w − x*‖², E V_k ≤ (1 − τ)^k V_0
Theorems svrp_theorems(const SvrpOptions& o, const TheoremFacts& facts) {
  const Constants& c = facts.constants;
  const auto [tau, weight] = svrp_contraction(o.step * facts.mu(), o.p);
  return {{.name = "SVRP, potential",
           .statement = "E V_k ≤ (1 − τ)^k V_0, V = ‖x − x*‖² + (ημ/p)‖w − x*‖², τ = min(ημ/(1 + ημ), p/2)",
           .source = "Khaled, Jin, ICLR 2023; constants of an own proof",
           .in_expectation = true,
           .assumptions = {condition("every f_i is strongly convex", "μ = " + number(c.mu), c.mu > 0.0),
                           at_most("η", o.step, "μ/(2δ_A²)", c.mu / (2.0 * c.delta_A * c.delta_A)),
                           condition("local solves are exact", "solver = " + toml_string(enum_name(o.local.solver)),
                                     o.local.solver == SolverName::exact),
                           facts.optimum_known()},
           .after_round = [tau = tau, weight = weight](State s, Scale scale) -> Check {
             if (s.round() == 0) return {};
             const Vector& w = s.vector("w");
             const double x_squared = scale.squared_distance(s.x());
             const double w_squared = scale.squared_distance(w);
             return {.row = CheckedRow{.bound = decay(tau, double(s.round())) * (1.0 + weight) * scale.radius(),
                                       .observed = x_squared + weight * w_squared,
                                       .rounding = scale.of_squared_distance(x_squared, s.x()) +
                                                   weight * scale.of_squared_distance(w_squared, w)}};
           }}};
}

}  // namespace driftless
