// A round of scaffnew ends at a random iteration T. M_t = V_t (1 − τ)^{−t} never grows in expectation and is never
// negative, so E[V_T (1 − τ)^{−T}] ≤ V_0 at such a time as well: the mean over seeds of V_T/bound_T is at most 1, each
// run with the bound of its own T.
#include "driftless/methods/skipping/theorems.hpp"

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

}  // namespace

Theorems scaffnew_theorems(const ScaffnewOptions& options, const TheoremFacts& facts) {
  return {scaffnew_theorem(options, facts)};
}

}  // namespace driftless
