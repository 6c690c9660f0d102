// Drift-corrected proximal steps of all clients at a centre c, and the test whether their mean is a sound step.
//
//   open    h_i = ∇f_i(c) − ∇f(c)                                                            one exchange
//   solve   x_i ≈ argmin_y f_i(y) − ⟨h_i, y⟩ + (λ/2)‖y − c‖²,   p_i = ∇f_i(x_i) − h_i
//           x̄ = (1/n) Σ x_i,   p̄ = (1/n) Σ p_i = (1/n) Σ ∇f_i(x_i)                           one exchange
//   T1      t = (1/n) Σ [⟨p_i, c − x_i⟩ + ⟨∇f_i(x̄) − h_i, x_i − x̄⟩] ≥ ‖p̄‖²/(2λ)
//
// T1 is the line search of Jiang, Rodomanov, Stich, "Stabilized proximal-point methods for federated optimization",
// NeurIPS 2024, written in differences that vanish at the minimiser, which changes nothing since Σ h_i = 0: so it
// decides as long as gradients have digits. It holds for λ ≥ 4 δ_A/3 and solves with ‖∇F_i(x_i)‖ ≤ (λ/2)‖x_i − c‖. For
// convex f_i it implies, for every z and every λ' with t ≥ ‖p̄‖²/(2λ'), what the proofs of the methods need of a step of
// length 1/λ' along p̄:
//
//   (1/λ') (f(x̄) − f(z)) ≤ ½‖c − z‖² − ½‖c − p̄/λ' − z‖²
//
// The number t needs x̄ at the clients. It is sent with ∇f_i at the next centre, so a step that passes costs no exchange
// for its test.
#pragma once

#include "driftless/components/similarity/first_estimates.hpp"
#include "driftless/components/similarity/secants.hpp"

#include <limits>

namespace driftless {

class ProximalSteps {
 public:
  explicit ProximalSteps(bool tested) : tested_(tested) {}

  void prepare(const Federation& fed) {
    g_i_ = h_i_ = x_i_ = p_i_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
    c_ = g_ = x_bar_ = p_bar_ = Vector::Zero(fed.dim());
    secants_.start(fed);
    needed_ = 0.0;
  }

  // `centers` is the number of vectors that the clients are sent to know c.
  void open(Federation& fed, const Cohort& S, const Vector& c, std::size_t centers = 0) {
    RowMean means = fed.mean_rows({S, S}, {.vectors = 1, .scalars = tested_ ? 1U : 0U},
                                  {.vectors = 1 + centers, .scalars = tested_ ? 1U : 0U}, [&](Client& i, Row& row) {
                                    i.gradient(c, g_i_[i]);
                                    row.vector() = g_i_[i];
                                    if (tested_) row.scalars()[0] = secants_.compare(i, g_i_[i]);
                                  });
    opened_ = means.vector();
    if (tested_) secants_.follow(fed, c, opened_, means.scalar(0));
  }
  // The same with t of the last step.
  void open_and_test(Federation& fed, const Vector& c) {
    RowMean means = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1, .scalars = 2},
                                  {.vectors = 1, .scalars = 1}, [&](Client& i, Row& row) {
                                    row.scalars()[1] = test_number(i);
                                    i.gradient(c, g_i_[i]);
                                    row.vector() = g_i_[i];
                                    row.scalars()[0] = secants_.compare(i, g_i_[i]);
                                  });
    opened_ = means.vector();
    secants_.follow(fed, c, opened_, means.scalar(0));
    judge(means.scalar(1));
  }
  // The same at the first centre, with all that one gradient tells.
  FirstEstimates open_first(Federation& fed, const Vector& c) {
    constexpr auto count = static_cast<std::size_t>(FirstEstimates::count);
    RowMean means = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1, .scalars = 1 + count},
                                  {.vectors = 1, .scalars = 1}, [&](Client& i, Row& row) {
                                    i.gradient(c, g_i_[i]);
                                    row.vector() = g_i_[i];
                                    row.scalars()[0] = secants_.compare(i, g_i_[i]);
                                    FirstEstimates::measure(i, c, g_i_[i], row.scalars().tail(FirstEstimates::count));
                                  });
    opened_ = means.vector();
    secants_.follow(fed, c, opened_, means.scalar(0));
    return FirstEstimates::from(means.scalars().tail(FirstEstimates::count), opened_, fed.everyone().size());
  }

  // The step from the centre that was opened last.
  void solve(Federation& fed, const Cohort& S, const Vector& c, double lambda, const LocalSolver& solver) {
    c_ = c;
    g_ = opened_;
    fed.for_each_client(S, [&](Client& i) { h_i_[i] = g_i_[i] - g_; });
    solve_again(fed, S, lambda, solver);
  }
  // Once more from the same centre.
  void solve_again(Federation& fed, const Cohort& S, double lambda, const LocalSolver& solver) {
    RowMean means = fed.mean_rows(
        {S, S}, {.vectors = 2}, {.vectors = tested_ ? 2U : 1U}, [&](Client& i, Row& row) {  // down: the next c, and x̄
          Vector& x_i = x_i_[i];
          x_i = c_;
          i.minimize({.shift = &h_i_[i], .center = &c_, .lambda = lambda, .start_gradient = &g_}, x_i, solver);
          i.gradient(x_i, p_i_[i]);
          p_i_[i] -= h_i_[i];
          row.vector(0) = x_i;
          row.vector(1) = p_i_[i];
        });
    x_bar_ = means.vector(0);
    p_bar_ = means.vector(1);
  }

  const Vector& center() const { return c_; }             // of the last step
  const Vector& mean_point() const { return x_bar_; }     // x̄
  const Vector& mean_gradient() const { return p_bar_; }  // p̄
  double needed() const { return needed_; }  // the least λ with which the last step passes; infinite if there is none
  double dissimilarity() const {
    return secants_.dissimilarity();
  }  // δ̂ between the last two opened centres; 0: unknown

  void visit_state(StateVisitor& visit) {
    if (!tested_) return;
    visit.vector("c", c_);
    visit.vector("gradient", g_);
    visit.vector("x_bar", x_bar_);
    visit.vector("p_bar", p_bar_);
    visit.per_client("h_i", h_i_);
    visit.per_client("x_i", x_i_);
    visit.per_client("p_i", p_i_);
    secants_.visit_state(visit);
  }

 private:
  // The client's part of t, with what rounding may have taken from it.
  double test_number(Client& i) {
    const Vector to_center = c_ - x_i_[i];
    const Vector to_mean = x_i_[i] - x_bar_;
    Vector& q = g_i_[i];
    i.gradient(x_bar_, q);
    const double rounding = 1e-15 * (q.norm() + h_i_[i].norm()) * (to_center.norm() + to_mean.norm());
    q -= h_i_[i];
    return p_i_[i].dot(to_center) + q.dot(to_mean) + rounding;
  }
  void judge(double t) {
    const double square = p_bar_.squaredNorm();
    const bool passes_with_some = t > 0.0 && std::isfinite(square);
    needed_ = passes_with_some ? square / (2.0 * t) : square == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
  }

  bool tested_;
  SecantEstimates secants_;
  PerClient<Vector> g_i_, h_i_, x_i_, p_i_;
  Vector opened_;  // ∇f at the centre opened last, used in the same round
  Vector c_, g_, x_bar_, p_bar_;
  double needed_ = 0.0;
};

}  // namespace driftless
