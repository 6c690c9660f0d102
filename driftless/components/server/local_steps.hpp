// K plain (stochastic) gradient steps of size γ: the local work of FedAvg, Scaffold and FedLin.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/solvers/local_solver.hpp"

namespace driftless {

struct LocalStepOptions {
  double step = required;
  std::size_t local_steps = 10;
  std::size_t batch = 0;

  static Fields fields() {
    using S = LocalStepOptions;
    return {field("step", &S::step, positive, "γ, size of a local step; 1/(L K) is safe"),
            field("local_steps", &S::local_steps, at_least_one, "K, local steps per round"),
            field("batch", &S::batch, nonnegative, "samples per local step; 0 = all")};
  }

  bool full_gradients() const { return batch == 0; }
  LocalSolver solver() const { return solver(local_steps); }
  // λ is the weight of the local problem's centre; steps have length γ with it, too.
  LocalSolver solver(std::size_t steps, double lambda = 0.0) const {
    if (full_gradients()) return GradientDescent{.step = step, .stop = {.max_steps = steps}};
    return Sgd{.eta = 1.0 / step - lambda, .batch = batch, .steps = steps};
  }
};

}  // namespace driftless
