// DANE+, algorithm 1 of Jiang, Rodomanov, Stich, "Federated optimization with doubly regularized drift correction",
// ICML 2024, with the control variates of its main text and of its appendix.
//
//   for r = 0, 1, …:
//     h_{i,r} = ∇f_i(x^r) − ∇f(x^r)                                                    (exact: one more exchange)
//     x_{i,r+1} ≈ argmin_y F_{i,r}(y) = f_i(y) − ⟨h_{i,r}, y⟩ + (λ/2)‖y − x^r‖²
//     x^{r+1} = Avg or Rand of the x_{i,r+1}
//     h_{i,r+1} = h_{i,r} + m (x^{r+1} − x_{i,r+1})                                    (drift: no exchange)
//
// Rand draws uniformly, with the chances client_weights, or takes the clients of client_sequence in turn: the theorem
// for any f holds for every choice.
//
// λ = lambda, m defaults to λ. ∇F_{i,r}(x^r) = ∇f(x^r) for every i, so the exact control variate saves the first local
// gradient.
//
// Theory: exact solver λ ≥ δ_A; e_r rule λ = 2 δ_A; non-convex λ = 2 δ_B with Rand; drift λ = m = √(μL) with exact
// solver.
//
// Rounds: (δ_A/μ) log(1/ε), δ_A R_0²/ε, δ_B F_0/ε; drift √(L/μ) log(1/ε). The paper counts one round where two
// exchanges happen.
#pragma once

#include "driftless/components/server/averaging.hpp"
#include "driftless/components/server/control_variate.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct DanePlusOptions {
  double lambda = required;
  LocalSolverOptions local = {};
  ControlVariateOptions control = {};
  Averaging averaging = Averaging::mean;
  ClientChoice choice = {};

  static Fields fields() {
    using S = DanePlusOptions;
    return {field("lambda", &S::lambda, nonnegative, "λ, pull towards the server point; δ_A … 2 δ_A in theory"),
            nested(&S::local), nested(&S::control),
            field("averaging", &S::averaging, anything, "next x: mean of all, or one client's point"),
            nested(&S::choice)};
  }
  void check() const {
    local.check();
    control.check(averaging);
    choice.check(averaging);
  }
};

class DanePlus : public MethodWith<DanePlusOptions> {
 public:
  explicit DanePlus(const Options& o) : MethodWith(o), h_(o.control, o.lambda) {}

  void start(Federation& fed, Vector& x) override {
    o_.choice.require_fit(fed.clients());
    h_.start(fed, x);
    x_i_ = fed.per_client<Vector>(x);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = o_.choice.chosen(fed, o_.averaging);
    h_.refresh(fed, x, S);  // exact: h_{i,r}
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.lambda);
    fed.for_each_client(S, [&](Client& i) {  // x_{i,r+1} ≈ argmin F_{i,r}
      x_i_[i] = x;
      i.minimize({.shift = h_[i], .center = &x, .lambda = o_.lambda, .start_gradient = h_.gradient()}, x_i_[i], solver);
    });
    x = fed.mean({S, fed.everyone()}, x_i_);  // x^{r+1}
    h_.follow(fed, x, x_i_);                  // drift: h_{i,r+1}
  }

  Traffic start_traffic(std::size_t n) const override { return h_.start_traffic(n); }
  Traffic round_traffic(std::size_t n) const override {
    o_.choice.require_fit(n);
    const std::size_t s = chosen_of(n, o_.averaging);
    if (h_.exact()) return {.exchanges = 2, .up = n + s, .down = n + s};  // ∇f_i, x_i; x for all, ∇f for the chosen
    return {.exchanges = 1, .up = s, .down = n};
  }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    h_.visit_state(visit);
  }

 private:
  ControlVariate h_;
  PerClient<Vector> x_i_;
};

}  // namespace driftless
