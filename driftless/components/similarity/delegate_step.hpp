// Whether the delegate's model explains the step s = x⁺ − x from its proximal problem
//   F(y) = f_1(y) + φ(x) + ⟨∇φ(x), y − x⟩ + (λ/2)‖y − x‖²,  φ = f − f_1:
//
//   T3   f(x⁺) ≤ F(x⁺) − (λ/4)‖s‖²,  that is  D = φ(x⁺) − φ(x) − ⟨∇φ(x), s⟩ ≤ (λ/4)‖s‖²,  and f(x⁺) ≤ f(x)
//
// T3 holds for λ ≥ 2 Δ_1, f_i convex or not; where the solver lowers F, so f falls by at least (λ/4)‖s‖². Once
// (λ/4)‖s‖² is below the rounding of the values, D is ½⟨∇φ(x⁺) − ∇φ(x), s⟩ and f(x⁺) − f(x) is ½⟨∇f(x⁺) + ∇f(x), s⟩,
// which are exact for quadratics, and f is one at such a distance.
//
//   Δ̂ = ‖∇φ(x⁺) − ∇φ(x)‖/‖s‖ ≤ Δ_1
#pragma once

#include "driftless/components/server/delegate.hpp"
#include "driftless/federation/state_visitor.hpp"

#include <cmath>
#include <limits>

namespace driftless {

class DelegateStepTest {
 public:
  explicit DelegateStepTest(const DelegateOptions& options) : id_(options.delegate) {}

  struct Point {  // what the server knows of a point
    Vector x;
    Vector gradient;  // ∇f(x)
    double value = 0.0;
  };

  void prepare(const Federation& fed) {
    g_1_ = g_1_kept_ = fed.per_client<Vector>(Vector::Zero(fed.dim()));
    f_1_ = f_1_kept_ = fed.per_client<double>(0.0);
  }

  // In the body that forms ∇f_i and f_i at x⁺.
  void keep(const Client& i, VecIn gradient, double value) {
    if (i.id() != id_) return;
    g_1_[i] = gradient;
    f_1_[i] = value;
  }
  // After the exchange: the test of the step between the two points.
  void judge(Federation& fed, Delegate& delegate, const Point& from, const Point& to, double lambda) {
    const Vector s = to.x - from.x;
    const Vector n = delegate.tell_server(fed, 5, [&](Client& i, VecOut numbers) {
      const Vector change = to.gradient - from.gradient - (g_1_[i] - g_1_kept_[i]);  // ∇φ(x⁺) − ∇φ(x)
      numbers << f_1_[i], f_1_kept_[i], (from.gradient - g_1_kept_[i]).dot(s), change.dot(s), change.norm();
    });
    const double allowed = 0.25 * lambda * s.squaredNorm();
    const double rounding = 1e-14 * (std::abs(from.value) + std::abs(to.value) + std::abs(n[0]) + std::abs(n[1]));
    const bool values_decide = allowed > 100.0 * rounding;
    const double D = values_decide ? (to.value - n[0]) - (from.value - n[1]) - n[2] : 0.5 * n[3];
    const double rise = values_decide ? to.value - from.value : 0.5 * (to.gradient + from.gradient).dot(s);
    passes_ = D <= allowed && rise <= 0.0;
    needed_ = D > allowed && std::isfinite(D) ? 4.0 * D / s.squaredNorm() : std::numeric_limits<double>::infinity();
    delta_ = s.norm() > 0.0 && std::isfinite(n[4]) ? n[4] / s.norm() : 0.0;
  }
  bool passes() const { return passes_; }
  double needed() const { return needed_; }        // after a failure: the λ with which T3 would have held
  double dissimilarity() const { return delta_; }  // Δ̂, 0 where x has not moved

  void accept(Federation& fed) {  // x⁺ is the next x
    fed.for_each_client([&](Client& i) {
      g_1_kept_[i] = g_1_[i];
      f_1_kept_[i] = f_1_[i];
    });
  }
  void take_back(Federation& fed, Delegate& delegate) {  // the delegate is to continue from x
    fed.for_each_client([&](Client& i) { delegate.keep(i, g_1_kept_[i]); });
  }

  void visit_state(StateVisitor& visit) {
    visit.per_client("g_1", g_1_kept_);
    visit.per_client("f_1", f_1_kept_);
  }

 private:
  ClientId id_;
  PerClient<Vector> g_1_, g_1_kept_;  // ∇f_1 at x⁺ and at x, zero but for the delegate
  PerClient<double> f_1_, f_1_kept_;
  bool passes_ = true;
  double needed_ = 0.0;
  double delta_ = 0.0;
};

}  // namespace driftless
