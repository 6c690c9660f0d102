// Newton's method on F with truncated conjugate gradients and a line search. Where the curvature is negative the search
// follows the last direction of descent, so F never rises and non-convex problems end at a stationary point.
#pragma once

#include "driftless/solvers/conjugate_gradients.hpp"
#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

struct NewtonCg {
  StopRule stop{.kind = StopRule::Kind::absolute, .max_steps = 100, .tolerance = 1e-9};
  std::size_t max_products = 1000;  // Hessian products per Newton step

  template <TwiceDifferentiable F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    Shifted<F> target(f, s);
    Vector& g = context.scratch[0];
    StopCheck check(stop, s.center, context.scratch[6]);
    const auto report = [&](std::size_t steps, SolveEnd end) { return SolveReport{steps, target.passes(), end}; };

    double value = target.value_gradient(y, g);
    if (const SolveEnd end = check.at_start(g); end != SolveEnd::none) return report(0, end);
    const double start_norm = g.norm();
    constexpr double unbounded =
        std::numeric_limits<double>::infinity();  // no step length: the line search sees when none helps
    for (std::size_t k = 1;; ++k) {
      const double forcing = std::min(0.5, std::sqrt(g.norm() / start_norm));
      newton_direction(target, y, g, forcing, context.scratch);
      if (!line_search(target, y, value, g, context.scratch)) return report(k - 1, SolveEnd::stalled);
      if (const SolveEnd end = check.after(k, g, unbounded, y); end != SolveEnd::none) return report(k, end);
    }
  }

 private:
  // scratch[1] ← d with ‖∇²F(y) d + g‖ ≤ forcing · ‖g‖, or the descent direction found before negative curvature was
  // met.
  template <class Target>
  void newton_direction(Target& target, VecIn y, const Vector& g, double forcing, Workspace& scratch) const {
    const CgVectors w{.v = scratch[1], .r = scratch[2], .u = scratch[3], .hu = scratch[4], .s = scratch[7]};
    w.r = -g;
    const auto product = [&](const Vector& u, Vector& hu) { target.hessian_vector(y, u, hu); };
    const CgReport end = conjugate_gradients(product, no_preconditioner, w, {max_products, forcing});
    if (!end.convex && end.steps == 0) w.v = w.u;  // −g
  }

  // Backtracks from the full step; near the minimum, where differences of F are rounding, a smaller gradient decides.
  // False if no step helps: y, value and g are unchanged then.
  template <class Target>
  bool line_search(Target& target, VecOut y, double& value, Vector& g, Workspace& scratch) const {
    const Vector& d = scratch[1];
    Vector& trial = scratch[2];
    Vector& g_trial = scratch[3];
    const double slope = g.dot(d);
    const double norm = g.norm();
    const double rounding = 1e-14 * (1.0 + std::abs(value));
    for (double t = 1.0; t > 1e-12; t *= 0.5) {
      trial = y + t * d;
      const double value_trial = target.value_gradient(trial, g_trial);
      const bool descends = value_trial <= value + 1e-4 * t * slope;
      const bool flat = std::abs(value_trial - value) <= rounding && g_trial.norm() < norm;
      if (!descends && !flat) continue;
      if (value_trial >= value && g_trial.norm() >= norm) continue;
      y = trial;
      value = value_trial;
      g = g_trial;
      return true;
    }
    return false;
  }
};

}  // namespace driftless
