// argmin F: in closed form where the objective has one (quadratics, by a kept factorisation), otherwise by Newton's
// method down to ‖∇F‖ ≤ 1e-12 (1 + ‖∇F(start)‖).
#pragma once

#include "driftless/solvers/newton_cg.hpp"

namespace driftless {

struct Exact {
  template <Objective F>
    requires(ExactlySolvable<F> || TwiceDifferentiable<F>)
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    SolveReport report{1, 0, SolveEnd::closed_form};
    if (!solved_in_closed_form(f, s, y, context)) {
      if constexpr (TwiceDifferentiable<F>) report = by_newton(f, s, y, context);
      else return {0, 0, SolveEnd::stalled};
    }
    if (s.record != nullptr) s.record->add(y);
    return report;
  }

 private:
  template <Objective F>
  static bool solved_in_closed_form(const F& f, const Subproblem& s, VecOut y, SolveContext& context) {
    if constexpr (ExactlySolvable<F>) {
      if (s.center != nullptr) return f.solve(s.shift, s.lambda, *s.center, y);
      Vector& anywhere = context.scratch[0];
      anywhere.setZero();
      return f.solve(s.shift, 0.0, anywhere, y);
    } else {
      return false;
    }
  }

  template <TwiceDifferentiable F>
  static SolveReport by_newton(const F& f, const Subproblem& s, VecOut y, SolveContext& context) {
    const NewtonCg newton{.stop = {.kind = StopRule::Kind::absolute, .max_steps = 1000, .tolerance = 1e-12},
                          .start_share = 1e-12};
    return newton(f, s, y, context);
  }
};

}  // namespace driftless
