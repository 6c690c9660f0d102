// I-CGM-RG-SAGA. Jiang, Rodomanov, Stich, ICLR 2026: the inexact composite gradient method with a recursive gradient
// estimator, kept on course by SAGA's table, for non-convex functions and partial participation.
//
//   g_0 = ∇f(x_0), b_i = ∇f_i(x_0), b = (1/n) Σ b_i
//   for t = 0, 1, …:
//     x_{t+1} ≈ argmin_y f_1(y) + ⟨g_t − ∇f_1(x_t), y⟩ + (λ/2)‖y − x_t‖²           (the delegate, at the server)
//     sample m clients S;  s = (1/m) Σ_S (∇f_i(x_t) − b_i);  i ∈ S:  b_i = ∇f_i(x_t)
//     G_t = s + b;  b ← b + (m/n) s
//     g_{t+1} = (1 − β) g_t + β G_t + (1/m) Σ_S (∇f_i(x_{t+1}) − ∇f_i(x_t))
//
// λ = lambda, β = beta, m = cohort; the local steps are those of composite_step.hpp, with p_loc and η = eta. A round is
// one t and one exchange: a sampled client receives x_{t+1} and x_t and sends two vectors. With all clients g_t =
// ∇f(x_t) for every β, and the method is the composite gradient method.
//
// Departures: one full pass at the start in place of two. When clients are dropped, b is formed again over those left,
// in one more exchange. The output is the last x; the theory draws one of all x_t.
//
// Theory: λ = 3Δ_1 + 113 √(n/m) δ_m, β = m/(112 n), p_loc = (λ − Δ_1)/(8(L_1 + λ)), δ_m² = ((n − m)/(n − 1)) δ²/m; in
// practice λ = Δ_1 + √(n/m) δ, β = m/n, p_loc = δ/L, η = 2L. Messages: n/m C_A + C_R (Δ_1 + √(n/m) δ_m) F_0/ε, with C_A
// for an exchange with all clients and C_R for one with m.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/methods/sampled/rg_options.hpp"

namespace driftless {

class RgSaga final : public MethodWith<RgOptions> {
 public:
  explicit RgSaga(const Options& o) : MethodWith(o), composite_(o.composite) {}

  void prepare(const Federation& fed) override { composite_.prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    b_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
    b_ = g_ = fed.mean([&](Client& i, VecOut row) {
      i.gradient(x, b_i_[i]);
      row = b_i_[i];
    });
    members_ = fed.everyone().size();
  }

  void round(Federation& fed, Vector& x) override {
    if (members_ != fed.everyone().size()) renew_mean(fed);
    const Vector x_new = composite_.from(fed, x, g_);
    const Cohort S = fed.sample(o_.sampling.cohort);
    RowMean sent =
        fed.mean_rows({S, S}, {.vectors = 2}, {.vectors = received(S.is_everyone())}, [&](Client& i, Row& row) {
          auto change = row.vector(0);
          i.gradient(x_new, change);
          const Vector old = b_i_[i];
          i.gradient(x, b_i_[i]);
          change -= b_i_[i];
          row.vector(1) = b_i_[i] - old;
        });
    const auto s = sent.vector(1);
    g_ = (1.0 - o_.beta) * g_ + o_.beta * (s + b_) + sent.vector(0);
    b_ += static_cast<double>(S.size()) / static_cast<double>(members_) * s;
    x = x_new;
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t m = o_.sampling.size(n);
    return {.exchanges = 1, .up = 2 * m, .down = received(m == n) * m};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("g", g_);
    visit.vector("b", b_);
    visit.per_client("b_i", b_i_);
    visit.count("members", members_);
  }

 private:
  static std::size_t received(bool everyone) { return everyone ? 1 : 2; }  // x_{t+1}, and x_t by those sampled

  void renew_mean(Federation& fed) {
    b_ = fed.mean({fed.everyone(), fed.nobody()}, b_i_);
    members_ = fed.everyone().size();
  }

  CompositeStep composite_;
  Vector g_, b_;
  PerClient<Vector> b_i_;
  std::uint64_t members_ = 0;  // clients that b is the mean of
};

}  // namespace driftless
