// Newton's method on F inside one client: steps by truncated conjugate gradients with line search, see newton_step.hpp.
// F never rises, and non-convex problems end at a stationary point.
#pragma once

#include "driftless/solvers/newton_step.hpp"
#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

#include <limits>

namespace driftless {

struct NewtonCg {
  StopRule stop{.kind = StopRule::Kind::absolute, .max_steps = 100, .tolerance = 1e-9};
  std::size_t max_products = 1000;  // Hessian products per Newton step
  std::size_t pairs = 30;           // in the preconditioner
  double start_share = 0.0;         // fraction of ‖∇F‖ at the start that is added to the tolerance

  template <TwiceDifferentiable F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    Shifted<F> target(f, s);
    Vector& g = context.scratch[0];
    const auto report = [&](std::size_t steps, SolveEnd end) { return SolveReport{steps, target.passes(), end}; };

    double value = start(target, s, y, g);
    StopRule rule = stop;
    rule.tolerance += start_share * g.norm();
    StopCheck check(rule, s.center, context.scratch[6]);
    if (const SolveEnd end = check.at_start(g); end != SolveEnd::none) return report(0, end);
    NewtonRule step{.max_products = max_products};
    if (rule.kind == StopRule::Kind::absolute) step.enough = rule.tolerance;
    double forcing = step.forcing;
    context.scratch.pairs().begin(pairs);
    constexpr double unbounded =
        std::numeric_limits<double>::infinity();  // no step length: the line search detects when no step decreases F
    for (std::size_t k = 1;; ++k) {
      if (!newton_step(target, y, {value, g, forcing}, step, context.scratch)) return report(k - 1, SolveEnd::stalled);
      if (const SolveEnd end = check.after(k, g, unbounded, y); end != SolveEnd::none) return report(k, end);
    }
  }

 private:
  // One pass, whether or not ∇F is known already.
  template <class Target>
  static double start(Target& target, const Subproblem& s, VecIn y, Vector& g) {
    if (s.start_gradient == nullptr) return target.value_gradient(y, g);
    g = *s.start_gradient;
    return target.value(y);
  }
};

}  // namespace driftless
