// I-CGM-RG-SVRG. Jiang, Rodomanov, Stich, ICLR 2026: as RG-SAGA, but the recursive estimator is kept on course by full
// gradients at a reference point w, and clients keep nothing.
//
//   w = x_0, g_0 = ∇f(w)
//   for t = 0, 1, …:
//     x_{t+1} ≈ argmin_y f_1(y) + ⟨g_t − ∇f_1(x_t), y⟩ + (λ/2)‖y − x_t‖²           (the delegate, at the server)
//     sample m clients S;  G_t = (1/m) Σ_S (∇f_i(x_t) − ∇f_i(w)) + ∇f(w)
//     g_{t+1} = (1 − β) g_t + β G_t + (1/m) Σ_S (∇f_i(x_{t+1}) − ∇f_i(x_t))
//     with probability p:  w = x_{t+1}, everyone sends ∇f_i(w)
//
// λ = lambda, β = beta, m = cohort, p = p; the local steps are those of composite_step.hpp. A round is one t: a sampled
// client receives x_{t+1}, x_t and w and sends the one vector ∇f_i(x_{t+1}) − (1 − β)∇f_i(x_t) − β∇f_i(w), which is all
// that g_{t+1} needs; a true coin adds an exchange with everyone.
//
// Theory and practice have the values of RG-SAGA; p = m/n, for which both kinds of exchange cost the same, is a rule of
// thumb. Messages: n/m C_A + (C_R Δ_1 + √(C_A C_R n/m) δ_m) F_0/ε.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/methods/sampled/rg_options.hpp"

namespace driftless {

struct RgSvrgOptions {
  RgOptions estimator = {};
  double p = required;

  static Fields fields() {
    using S = RgSvrgOptions;
    return {nested(&S::estimator), field("p", &S::p, probability, "chance that a round renews ∇f(w)")};
  }
  void check() const { estimator.check(); }
};

class RgSvrg final : public MethodWith<RgSvrgOptions> {
 public:
  explicit RgSvrg(const Options& o) : MethodWith(o), composite_(o.estimator.composite) {}

  void prepare(const Federation& fed) override { composite_.prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    renew(fed, x);
    g_ = g_w_;
  }

  void round(Federation& fed, Vector& x) override {
    const double beta = o_.estimator.beta;
    const Vector x_new = composite_.from(fed, x, g_);
    const Cohort S = fed.sample(o_.estimator.sampling.cohort);
    const Vector change = fed.mean({S, S, sent_along(S.is_everyone())}, [&](Client& i, VecOut row) {
      Vector g(x.size());
      i.gradient(x_new, row);
      i.gradient(x, g);
      row -= (1.0 - beta) * g;
      if (beta == 0.0) return;
      i.gradient(w_, g);
      row -= beta * g;
    });
    g_ = (1.0 - beta) * g_ + beta * g_w_ + change;
    x = x_new;
    if (fed.coin(o_.p)) renew(fed, x);
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t m = o_.estimator.sampling.size(n);
    return {.exchanges = 1, .up = m, .down = (1 + sent_along(m == n)) * m};
  }
  Traffic coin_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.vector("g", g_);
    visit.vector("w", w_);
    visit.vector("g_w", g_w_);
  }

 private:
  static std::size_t sent_along(bool everyone) { return everyone ? 0 : 2; }  // x_t and w, besides x_{t+1}

  void renew(Federation& fed, const Vector& x) {
    w_ = x;
    g_w_ = fed.mean([&](Client& i, VecOut row) { i.gradient(w_, row); });
  }

  CompositeStep composite_;
  Vector g_, w_, g_w_;  // g_t, w, ∇f(w)
};

}  // namespace driftless
