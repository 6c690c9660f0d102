// CE-LGD. Patel, Wang, Woodworth, Bullins, Srebro, "Towards optimal communication complexity in distributed non-convex
// optimization", NeurIPS 2022: the version with full local gradients.
//
//   x_{−1} = x_0
//   for r = 0, 1, … (with a = 1 in round 0):
//     sample clients S;  v_r = a g_S(x_r) + (1 − a) [v_{r−1} + g_S(x_r) − g_S(x_{r−1})],  g_S = (1/|S|) Σ_S ∇f_i
//     one client j, drawn uniformly from all:  w_0 = x_r, u_0 = v_r, w_1 = w_0 − γ u_0
//       k = 1, …, K − 1:  u_k = u_{k−1} + ∇f_j(w_k) − ∇f_j(w_{k−1}),  w_{k+1} = w_k − γ u_k
//     x_{r+1} = w_K
//
// γ = step, K = local_steps, a = a, v = v_, x_{r−1} = x_previous_. The recursion telescopes to u_k = ∇f_j(w_k) −
// ∇f_j(x_r) + v_r, and that is computed: gradient steps with the shift ∇f_j(x_r) − v_r. A client of S sends the one
// vector ∇f_i(x_r) − (1 − a) ∇f_i(x_{r−1}). With all clients in S, v_r = ∇f(x_r) for every a, and a = 1 is DANE+-GD
// with λ = 0, K fixed and Rand. Sampled clients do not remember x_{r−1}, which is sent again; j is then sent x_r with
// v_r.
//
// The update was reconstructed without access to the article. Checks: that equality, the toy instance, and that x* is
// fixed. Departures: no minibatches, and the output is the last x; the theory draws one of all local iterates.
//
// Theory: K = ⌈L/δ_B⌉, γ of order 1/L: δ_B F_0/ε rounds.
#pragma once

#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver.hpp"

namespace driftless {

struct CeLgdOptions {
  double step = required;
  std::size_t local_steps = 10;
  double a = 1.0;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = CeLgdOptions;
    return {field("step", &S::step, positive, "γ, size of a local step; 1/L in theory"),
            field("local_steps", &S::local_steps, at_least_one, "K, local steps of the chosen client; L/δ_B"),
            field("a", &S::a, Range{.low = 0.0, .high = 1.0, .low_open = true},
                  "a, weight of the fresh gradient in v; matters with a cohort only"),
            nested(&S::sampling)};
  }
};

class CeLgd final : public MethodWith<CeLgdOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override { g_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim())); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    x_previous_ = x;
    v_ = Vector::Zero(x.size());
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Cohort j = fed.any_client();
    const double old = fed.round() == 0 ? 0.0 : 1.0 - o_.a;
    v_ = old * v_ + fed.mean({S, j, sent_to_chosen(S.is_everyone())}, [&](Client& i, VecOut row) {
      i.gradient(x, g_i_[i]);
      row = g_i_[i];
      if (old == 0.0) return;
      i.gradient(x_previous_, row);
      row = g_i_[i] - old * row;
    });
    const Vector x_next = fed.mean({j, S, sent_along(S.is_everyone())}, [&](Client& i, VecOut w) {
      if (!S.contains(i.id())) i.gradient(x, g_i_[i]);
      const Vector shift = g_i_[i] - v_;
      w = x;
      i.minimize({.shift = &shift, .start_gradient = &v_}, w,
                 GradientDescent{.step = o_.step, .stop = {.max_steps = o_.local_steps}});
    });
    x_previous_ = x;
    x = x_next;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 2, .up = s + 1, .down = s * (1 + sent_along(s == n)) + 1 + sent_to_chosen(s == n)};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("v", v_);
    visit.vector("x_previous", x_previous_);
  }

 private:
  std::size_t sent_to_chosen(bool everyone) const { return everyone ? 0 : 1; }             // x_r, besides v_r
  std::size_t sent_along(bool everyone) const { return everyone || o_.a == 1.0 ? 0 : 1; }  // x_{r−1}, besides x_r

  Vector x_previous_;
  Vector v_;
  PerClient<Vector> g_i_;  // ∇f_i(x_r), inside a round
};

}  // namespace driftless
