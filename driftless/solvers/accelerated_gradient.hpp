// Nesterov's fast gradient method with constant momentum on F, which is (η + λ)-smooth and (μ + λ)-strongly convex:
//
//   z_{k+1} = y_k − ∇F(y_k)/L_F,   y_{k+1} = z_{k+1} + θ(z_{k+1} − z_k),   θ = (√L_F − √μ_F)/(√L_F + √μ_F)
//
// Stop rules that test the gradient use y_k, where it is known, and return y_k; after a fixed number of steps z_K is
// returned.
#pragma once

#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

#include <cmath>

namespace driftless {

struct AcceleratedGradient {
  double eta = 1.0;  // η ≥ L, smoothness of f
  double mu = 0.0;   // μ, strong convexity of f
  StopRule stop;

  template <Objective F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    Shifted<F> target(f, s);
    Vector& g = context.scratch[0];
    Vector& z = context.scratch[1];
    Vector& z_new = context.scratch[2];
    StopCheck check(stop, s.center, context.scratch[3]);
    const double smooth = eta + s.lambda;
    const double strong = mu + s.lambda;
    const double theta = (std::sqrt(smooth) - std::sqrt(strong)) / (std::sqrt(smooth) + std::sqrt(strong));
    const auto report = [&](std::size_t steps, SolveEnd end) { return SolveReport{steps, target.passes(), end}; };

    target.start_gradient(y, g);
    if (const SolveEnd end = check.at_start(g); end != SolveEnd::none) return report(0, end);
    z = y;
    for (std::size_t k = 1;; ++k) {
      z_new = y - g / smooth;
      if (!stop.needs_gradient() && k == stop.max_steps) {
        y = z_new;
        return report(k, SolveEnd::steps_done);
      }
      y = z_new + theta * (z_new - z);
      z.swap(z_new);
      target.gradient(y, g);
      if (const SolveEnd end = check.after(k, g, 1.0 / smooth, y); end != SolveEnd::none) return report(k, end);
    }
  }
};

}  // namespace driftless
