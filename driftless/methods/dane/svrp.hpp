// SVRP, stochastic variance-reduced proximal point. Khaled, Jin, "Faster federated optimization under second-order
// similarity", ICLR 2023.
//
//   w_0 = x_0;  everyone sends ∇f_i(w_0)
//   for k = 0, 1, …:
//     one client j, drawn uniformly:  x_{k+1} ≈ argmin_y f_j(y) − ⟨∇f_j(w_k) − ∇f(w_k), y⟩ + (1/(2η))‖y − x_k‖²
//     with probability p:  w_{k+1} = x_{k+1}, everyone sends ∇f_i(w_{k+1})        else:  w_{k+1} = w_k
//
// η = step, w = w_, h_i = ∇f_i(w) − ∇f(w). A round is one iteration: one client receives x_k and ∇f(w_k) and sends
// x_{k+1}; a true coin adds an exchange with everyone. Any local solver may compute the prox; with gradient descent the
// method is SVRP-GD.
//
// The update was reconstructed without access to the article. Checks: its potential, in exact expectation over j and
// coin from arbitrary states, and that p = 1 is DANE+ with Rand and λ = 1/η.
//
// Theory: η = μ/(2δ_A²), p = 1/n: E V_{k+1} ≤ (1 − τ) V_k with V = ‖x − x*‖² + (ημ/p)‖w − x*‖² and
// τ = min(ημ/(1 + ημ), p/2), so (n + δ_A²/μ²) log(1/ε) iterations of O(1) messages each.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct SvrpOptions {
  double step = required;
  double p = required;
  LocalSolverOptions local = {};

  static Fields fields() {
    using S = SvrpOptions;
    return {field("step", &S::step, positive, "η, length of a proximal step; μ/(2δ_A²) in theory"),
            field("p", &S::p, probability, "chance that an iteration renews ∇f(w); 1/n in theory"), nested(&S::local)};
  }
  void check() const { local.check(); }
};

class Svrp final : public MethodWith<SvrpOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    h_.start(fed, x);
    renew(fed, x);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort j = fed.any_client();
    const LocalSolver solver = o_.local.at_round(fed.round(), 1.0 / o_.step);
    const Vector* known = x == w_ ? h_.gradient() : nullptr;  // ∇F_j(x) = ∇f(w) where x = w
    x = fed.mean({j, j, 1}, [&](Client& i, VecOut y) {        // j is sent ∇f(w) besides x
      y = x;
      i.minimize({.shift = h_[i], .center = &x, .lambda = 1.0 / o_.step, .start_gradient = known}, y, solver);
    });
    if (fed.coin(o_.p)) renew(fed, x);
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t) const override { return {.exchanges = 1, .up = 1, .down = 2}; }
  Traffic coin_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.vector("w", w_);
    h_.visit_state(visit);
  }

 private:
  void renew(Federation& fed, const Vector& x) {
    w_ = x;
    h_.refresh(fed, w_, fed.everyone());
  }

  ControlVariate h_{{}, 0.0};
  Vector w_;
};

}  // namespace driftless
