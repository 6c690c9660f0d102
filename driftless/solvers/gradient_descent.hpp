// Gradient descent on F, and the same step in the form in which FedRed-GD writes it.
#pragma once

#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

namespace driftless {

// y_{k+1} = y_k − step · ∇F(y_k)
template <Objective F>
SolveReport descend(const F& f, const Subproblem& s, double step, const StopRule& stop, VecOut y, Workspace& scratch) {
  Shifted<F> target(f, s);
  Vector& g = scratch[0];
  StopCheck check(stop, s.center, scratch[1]);
  const auto report = [&](std::size_t steps, SolveEnd end) { return SolveReport{steps, target.passes(), end}; };

  target.start_gradient(y, g);
  if (const SolveEnd end = check.at_start(g); end != SolveEnd::none) return report(0, end);
  for (std::size_t k = 1;; ++k) {
    y -= step * g;
    if (s.record != nullptr) s.record->add(y);
    const bool last = !stop.needs_gradient() && k == stop.max_steps;  // its gradient is not used
    if (!last) target.gradient(y, g);
    if (const SolveEnd end = check.after(k, g, step, y); end != SolveEnd::none) return report(k, end);
  }
}

struct GradientDescent {
  double step = 1.0;  // γ; 1/(L + λ) is safe
  StopRule stop;

  template <Objective F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    return descend(f, s, step, stop, y, context.scratch);
  }
};

// y_{k+1} = argmin_y ⟨∇f(y_k) − h, y⟩ + (η/2)‖y − y_k‖² + (λ/2)‖y − c‖² = (η y_k + λ c − (∇f(y_k) − h)) / (η + λ),
// and with ∇F(y_k) = ∇f(y_k) − h + λ(y_k − c) that is y_k − ∇F(y_k)/(η + λ).
struct ProxGradient {
  double eta = 1.0;  // η; L is safe
  StopRule stop;

  template <Objective F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    return descend(f, s, 1.0 / (eta + s.lambda), stop, y, context.scratch);
  }
};

}  // namespace driftless
