// SONATA on a star. Sun, Daneshmand, Scutari, "Distributed optimization based on gradient tracking revisited: enhancing
// convergence rate via surrogation", SIAM Journal on Optimization 2022.
//
//   for r = 0, 1, …:
//     everyone sends ∇f_i(x^r); everyone receives ∇f(x^r)
//     x̂_i ≈ argmin_y f_i(y) − ⟨∇f_i(x^r) − ∇f(x^r), y⟩ + (τ/2)‖y − x^r‖²
//     x^{r+1} = x^r + a · (1/n) Σ (x̂_i − x^r)
//
// τ = tau, a = step, h_i = ∇f_i(x^r) − ∇f(x^r). Departures: the article runs over a graph of agents, with a consensus
// step for x and gradient tracking for ∇f; with a server both are exact after one exchange, and that is this method.
// The article's common regulariser G is not implemented.
//
// The rate, (δ_B/μ) log(1/ε) rounds with τ = δ_B, is that of the abstract; the range 0 < a ≤ 1 was reconstructed
// without access to the article. Tests check: a = 1 is DANE with λ = τ, and a smaller a moves that fraction of the way.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct SonataOptions {
  double tau = required;
  double step = 1.0;
  LocalSolverOptions local = {};

  static Fields fields() {
    using S = SonataOptions;
    return {field("tau", &S::tau, nonnegative, "τ, pull towards the server point; δ_B in theory"),
            field("step", &S::step, Range{.low = 0.0, .high = 1.0, .low_open = true},
                  "a, share of the way to the mean that is taken"),
            nested(&S::local)};
  }
  void check() const { local.check(); }
};

class Sonata final : public MethodWith<SonataOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override { h_.start(fed, x); }

  void round(Federation& fed, Vector& x) override {
    h_.refresh(fed, x, fed.everyone());
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.tau);
    const Vector mean = fed.mean([&](Client& i, VecOut x_hat) {
      x_hat = x;
      i.minimize({.shift = h_[i], .center = &x, .lambda = o_.tau, .start_gradient = h_.gradient()}, x_hat, solver);
    });
    x += o_.step * (mean - x);
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override { h_.visit_state(visit); }

 private:
  ControlVariate h_{{}, 0.0};
};

}  // namespace driftless
