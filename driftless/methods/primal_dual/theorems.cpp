#include "driftless/methods/primal_dual/theorems.hpp"

#include "driftless/methods/dane/theorems.hpp"

#include <cmath>

namespace driftless {
namespace {

// Around x its local problem is that of DANE+ with h_i = g_i − h: (α/2)‖y − θ‖² with θ = x − h/α.
PotentialTerms terms_of_feddyn(const Snapshot& s, const TheoremScale& scale) {
  PotentialTerms terms;
  terms.distance = scale.squared_distance(s.x());
  terms.distance_rounding = scale.of_squared_distance(terms.distance, s.x());
  terms.correction = s.mean([&](const ClientObjective&, std::size_t i) {
    return (s.per_client("g_i")[i] - s.vector("h") - scale.optimal_gradients()[i]).squaredNorm();
  });
  const double error = scale.of_gradient(s.x());
  terms.correction_rounding = 2.0 * std::sqrt(terms.correction) * error + error * error;
  return terms;
}

}  // namespace

Theorems feddyn_theorems(const FedDynOptions& o, const TheoremFacts& facts) {
  Theorem theorem = drift_theorem("FedDyn as DANE+ with drift, contraction", o.alpha, facts, terms_of_feddyn);
  theorem.assumptions.push_back(condition("local solves are exact",
                                          "solver = " + toml_string(enum_name(o.local.solver)),
                                          o.local.solver == SolverName::exact));
  theorem.assumptions.push_back(condition("all clients take part", "cohort = " + std::to_string(o.sampling.cohort),
                                          o.sampling.size(facts.constants.clients) == facts.constants.clients));
  return {std::move(theorem)};
}

}  // namespace driftless
