#include "driftless/federation/client.hpp"

#include <algorithm>

namespace driftless {

// The pull joins the quadratic of the local problem. What a method says of f_i, its constants and its gradient at an
// anchor, includes the pull, and the solver is told what holds without it.
SolveReport Client::minimize_with_pull(Subproblem s, VecOut y, LocalSolver solver) {
  const Pull both = s.center != nullptr ? joined(*s.center, s.lambda, *pull_) : *pull_;
  s.center = &both.center;
  s.lambda = both.lambda;
  Vector at_anchor;
  if (s.anchor.point != nullptr) {
    at_anchor = *s.anchor.gradient - kappa() * (*s.anchor.point - pull_->center);
    s.anchor.gradient = &at_anchor;
  }
  const auto without_pull = [&](double constant) { return std::max(constant - kappa(), std::min(constant, 0.0)); };
  std::visit(
      [&](auto& algorithm) {
        if constexpr (requires { algorithm.eta; }) algorithm.eta = without_pull(algorithm.eta);
        if constexpr (requires { algorithm.mu; }) algorithm.mu = without_pull(algorithm.mu);
      },
      solver);
  return objective_.minimize(s, y, solver, context_);
}

}  // namespace driftless
