// Nesterov's fast gradient method on F that finds the smoothness M of f on the way, so that it needs no constant but
// the strong convexity μ, for which 0 is always right:
//
//   z_{k+1} = y_k − ∇F(y_k)/(M + λ),   y_{k+1} = z_{k+1} + θ (z_{k+1} − z_k),   θ as for the constants M + λ, μ + λ
//   rejected while ‖∇F(y_{k+1}) − ∇F(y_k)‖ > (M + λ) ‖y_{k+1} − y_k‖:  M ← max(2 M, what that ratio needs)
//   accepted:  M ← 0.9 M;  θ = 0 in the next step where ⟨∇F(y_{k+1}), z_{k+1} − z_k⟩ > 0
//
// The test holds for every M ≥ L, so M stays below 2L; it compares gradients, whose differences mean something long
// after those of F are rounding. Of steps below 1e-8 ‖y‖ the ratios begin to be rounding too, so these keep M, which is
// doubled where the ratio is twice what it allows, so that no part of y grows. The restart is the gradient scheme of
// O'Donoghue, Candès, "Adaptive restart for accelerated gradient schemes", Found. Comput. Math. 2015. Every trial is a
// pass over the data.
#pragma once

#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

struct AdaptiveGradient {
  double mu = 0.0;  // μ, strong convexity of f
  StopRule stop;
  bool accelerated = true;  // false: gradient descent, θ = 0 throughout

  template <Objective F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    Shifted<F> target(f, s);
    Vector& g = context.scratch[0];
    Vector& z = context.scratch[1];
    Vector& z_new = context.scratch[2];
    Vector& y_new = context.scratch[4];
    Vector& g_new = context.scratch[5];
    StopCheck check(stop, s.center, context.scratch[3]);
    const auto report = [&](std::size_t steps, SolveEnd end) { return SolveReport{steps, target.passes(), end}; };

    target.start_gradient(y, g);
    if (const SolveEnd end = check.at_start(g); end != SolveEnd::none) return report(0, end);
    double found = 0.0;
    double& M = s.smoothness != nullptr ? *s.smoothness : found;
    if (!(M > 0.0)) M = s.lambda > 0.0 ? s.lambda : g.norm() / (1.0 + y.norm());
    z = y;
    bool momentum = accelerated;
    for (std::size_t k = 1;; ++k) {
      bool small = false;
      for (bool accepted = false; !accepted;) {
        const double smooth = M + s.lambda;
        z_new = y - g / smooth;
        y_new = z_new + (momentum ? theta(smooth, std::min(mu, M) + s.lambda) : 0.0) * (z_new - z);
        target.gradient(y_new, g_new);
        const double change = (g_new - g).norm();
        const double moved = (y_new - y).norm();
        small = moved <= 1e-8 * y.norm();
        accepted = !std::isfinite(M) || (small ? moved <= 1e-12 * y.norm() || !(change > 2.0 * smooth * moved)
                                               : !(change > slack * smooth * moved));
        if (accepted) continue;
        if (small) M *= 2.0;
        else M = std::isfinite(change) ? std::max(2.0 * M, change / moved - s.lambda) : 10.0 * M;
      }
      momentum = accelerated && !(g_new.dot(z_new - z) > 0.0);
      z.swap(z_new);
      y = y_new;
      g.swap(g_new);
      const double length = 1.0 / (M + s.lambda);
      if (!small) M *= 0.9;
      if (const SolveEnd end = check.after(k, g, length, y); end != SolveEnd::none) return report(k, end);
    }
  }

 private:
  // On quadratics the ratio of a step is that of the rejected one before it, to which M was raised: without slack
  // rounding would decide.
  static constexpr double slack = 1.0 + 1e-8;

  static double theta(double smooth, double strong) {
    return (std::sqrt(smooth) - std::sqrt(strong)) / (std::sqrt(smooth) + std::sqrt(strong));
  }
};

}  // namespace driftless
