// FedLin. Mitra, Jaafar, Pappas, Hassani, "Linear convergence in federated learning: tackling client heterogeneity and
// sparse gradients", NeurIPS 2021.
//
//   for r = 0, 1, …:
//     everyone sends ∇f_i(x^r); everyone receives ∇f(x^r)
//     y_i = x^r;  K times:  y_i ← y_i − γ (∇f_i(y_i) − ∇f_i(x^r) + ∇f(x^r))
//     x^{r+1} = (1/n) Σ y_i
//
// With a compressor, everyone sends ∇f_i(x^r) in code (components/compression/compressed_mean.hpp), and the decoded
// mean replaces ∇f(x^r); the article uses top-k with error feedback, here memory = error-feedback. The points y_i are
// sent without a code.
//
// γ = step (the article's γ̄/K with γ̄ = 1/(6L)), K = local_steps, h_i = ∇f_i(x^r) − ∇f(x^r).
// Rate: f(x_{r+1}) − f* ≤ (1 − 1/(6κ)) (f(x_r) − f*); the constant 1/6 was reconstructed without access to the article
// and checked numerically.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedLinOptions {
  LocalStepOptions local = {};
  CodeOptions code = {};

  static Fields fields() {
    using S = FedLinOptions;
    return {nested(&S::local), nested(&S::code)};
  }
};

class FedLin final : public MethodWith<FedLinOptions> {
 public:
  explicit FedLin(const Options& o) : MethodWith(o), code_(o.code) {}

  void start(Federation& fed, Vector& x) override {
    h_.start(fed, x);
    code_.start(fed);
  }

  void round(Federation& fed, Vector& x) override {
    h_.refresh(fed, x, fed.everyone(), code_);
    x = fed.mean([&](Client& i, VecOut y) {
      y = x;
      i.minimize({.shift = h_[i], .start_gradient = h_.gradient()}, y, o_.local.solver());
    });
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override {
    h_.visit_state(visit);
    code_.visit_state(visit);
  }

 private:
  ControlVariate h_{{}, 0.0};
  CompressedMean code_;
};

}  // namespace driftless
