// FedLin. Mitra, Jaafar, Pappas, Hassani, "Linear convergence in federated learning: tackling client heterogeneity and
// sparse gradients", NeurIPS 2021; without its optional sparsification.
//
//   for r = 0, 1, …:
//     everyone sends ∇f_i(x^r); everyone receives ∇f(x^r)
//     y_i = x^r;  K times:  y_i ← y_i − γ (∇f_i(y_i) − ∇f_i(x^r) + ∇f(x^r))
//     x^{r+1} = (1/n) Σ y_i
//
// γ = step (the article's γ̄/K with γ̄ = 1/(6L)), K = local_steps, h_i = ∇f_i(x^r) − ∇f(x^r).
// Rate: f(x_{r+1}) − f* ≤ (1 − 1/(6κ)) (f(x_r) − f*); the constant 1/6 is recalled, not read in the article, and was
// checked numerically.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/rules/control_variate.hpp"
#include "driftless/rules/local_steps.hpp"

namespace driftless {

class FedLin final : public Method {
 public:
  using Options = LocalStepOptions;
  explicit FedLin(const Options& o) : o_(o) {}

  void start(Federation& fed, Vector& x) override { h_.start(fed, x); }

  void round(Federation& fed, Vector& x) override {
    h_.refresh(fed, x, fed.everyone());
    x = fed.mean([&](Client& i, VecOut y) {
      y = x;
      i.minimize({.shift = h_[i], .start_gradient = h_.gradient()}, y, o_.solver());
    });
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override { visit.per_client("h_i", h_.values()); }

 private:
  Options o_;
  ControlVariate h_{{}, 0.0};
};

}  // namespace driftless
