// The step of ProxGradient with the gradient of a random minibatch in place of ∇f: y_{k+1} = y_k − G(y_k)/(η + λ),
// G(y) = g(y, ξ_k) − h + λ(y − c), less the noise of ξ_k at the anchor, if there is one. A fixed number of steps.
#pragma once

#include "driftless/solvers/solve_context.hpp"
#include "driftless/solvers/stop_rule.hpp"
#include "driftless/solvers/subproblem.hpp"

namespace driftless {

struct Sgd {
  double eta = 1.0;        // η, 1/η is the learning rate
  std::size_t batch = 32;  // samples per step
  std::size_t steps = 1;   // K
  BatchDraw draw = BatchDraw::epochs;

  template <FiniteSum F>
  SolveReport operator()(const F& f, const Subproblem& s, VecOut y, SolveContext& context) const {
    Shifted<F> target(f, s);
    Vector& g = context.scratch[0];
    const double step = 1.0 / (eta + s.lambda);
    for (std::size_t k = 0; k < steps; ++k) {
      const Batch xi = context.batches.next(f.samples(), batch, draw);
      target.gradient(y, xi, g);
      target.take_out_noise(xi, g, context.scratch[1]);
      y -= step * g;
      if (s.record != nullptr) s.record->add(y);
    }
    return {steps, target.passes(), SolveEnd::steps_done};
  }
};

}  // namespace driftless
