// SPAG. Hendrikx, Xiao, Bubeck, Bach, Massoulié, "Statistically preconditioned accelerated gradient method for
// distributed optimization", ICML 2020: mirror descent in the geometry of the delegate, φ(x) = f_1(x) + (μ_φ/2)‖x‖²,
// accelerated.
//
//   A = 0, B = 1, v = x;  σ = μ/(μ + 2μ_φ);  D(p, q) = φ(p) − φ(q) − ⟨∇φ(q), p − q⟩
//   for t = 0, 1, …:
//     a with Λ a² = (A + a)(B + σ a);  α = a/(A + a), β = aσ/(B + aσ)
//     y = ((1 − α) x + α(1 − β) v)/(1 − αβ)
//     v⁺ = argmin_z (a/(B + aσ)) ⟨∇f(y), z⟩ + W(z),   W(z) = (1 − β) D(z, v) + β D(z, y)
//     x⁺ = (1 − α) x + α v⁺;   A ← A + a, B ← B + σ a
//     gain:  fixed    Λ = gain
//            search   keeps the step only if D(x⁺, y) ≤ α²Λ W(v⁺)                              (the paper's)
//            merged   keeps it only if f(x⁺) ≤ f(y) + ⟨∇f(y), x⁺ − y⟩ + α²Λ W(v⁺)
//            kept: Λ ← Λ/2, but no less than 1.1 σ; else Λ ← 2Λ
//
// μ_φ = lambda, μ = mu, Λ (L_rel G in the paper, L_rel = 1) = Lambda_, A and B in weights_. W(z) = f_1(z) − ⟨(1 −
// β)∇f_1(v) + β∇f_1(y), z⟩ + (μ_φ/2)‖z − (1 − β)v − βy‖² + const: two centres are one.
//
// A round is one exchange, also where it ends in a refusal. The merged test needs f(x⁺), which rides along with the
// next ∇f(y): the round after an unfit step finds out, goes back to the kept point and is itself wasted.
//
// The rule is from memory; checked: where φ is a multiple of ‖·‖² it is Nesterov's accelerated gradient method, for n =
// 1 and small μ_φ it needs a few rounds, and where the paper's search diverges (μ_φ far below Δ_1) the merged test
// holds (tests/methods/dane_line_test.cpp). Theory: μ_φ ≥ Δ_1, then √(Δ_1/μ) log(1/ε) rounds once the gain is 1.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/rules/delegate.hpp"
#include "driftless/rules/estimating_sequence.hpp"

#include <algorithm>
#include <limits>

namespace driftless {

enum class SpagGain { fixed, search, merged };
template <>
struct EnumNames<SpagGain> {
  static constexpr std::array<std::string_view, 3> value{"fixed", "search", "merged"};
};

struct SpagOptions {
  double lambda = required;
  SpagGain gain_rule = SpagGain::merged;
  double gain = 1.0;
  LocalSolverOptions local;
  DelegateOptions at_server;

  static constexpr auto fields() {
    using S = SpagOptions;
    return std::tuple_cat(
        std::tuple{field("lambda", &S::lambda, positive, "μ_φ, convexity added to the delegate's loss; Δ_1 in theory"),
                   field("gain_rule", &S::gain_rule, anything, "how the gain Λ is found"),
                   field("gain", &S::gain, at_least_one, "Λ at the start; 1 is right for quadratics")},
        nested(&S::local), nested(&S::at_server));
  }
  void check() const { local.check(); }
};

class Spag final : public Method {
 public:
  using Options = SpagOptions;
  explicit Spag(const Options& o)
      : o_(o), delegate_(o.at_server), sigma_(o.local.mu / (o.local.mu + 2.0 * o.lambda)), Lambda_(o.gain) {}

  void start(Federation& fed, Vector& x) override {
    delegate_.start(fed);
    v_ = y_ = x_kept_ = v_kept_ = x;
    g_v_ = h_ = fed.per_client<Vector>(Vector());
  }

  void round(Federation& fed, Vector& x) override {
    Step s = next_step(x);
    VectorAndScalars at_y = gradient(fed, x);
    if (unfit(at_y)) {  // the last step
      go_back(x);
      s = next_step(x);
      at_y = gradient(fed, x);
    }
    const auto& [g, f] = at_y;
    keep(x);
    v_ = mirror_step(fed, s, g);
    x = (1.0 - s.alpha) * x + s.alpha * v_;
    weights_.advance(s.a, sigma_);
    if (o_.gain_rule == SpagGain::fixed) return;
    const auto [W, D, slack] = distances(fed, s, x);
    const double fall = s.alpha * s.alpha * Lambda_ * W;
    if (o_.gain_rule == SpagGain::search && !(D <= fall + slack)) return go_back(x);
    if (merged()) bound_ = f[0] + g.dot(x - y_) + fall + slack;
    Lambda_ = std::max(0.5 * Lambda_, 1.1 * sigma_);
  }

  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = n, .down = n, .at_least = merged()};
  }
  void visit_state(StateVisitor& visit) override;

 private:
  struct Step {
    double a = 0.0, alpha = 0.0, beta = 0.0, ratio = 0.0;  // ratio = a/(B + aσ)
  };

  bool merged() const { return o_.gain_rule == SpagGain::merged; }
  bool unfit(const VectorAndScalars& at_y) const { return merged() && !(at_y.scalars[1] <= bound_); }

  Step next_step(const Vector& x) {
    const double a = weights_.coupled_weight(Lambda_, sigma_);
    const double B_new = weights_.B + sigma_ * a;
    const double alpha = a / (weights_.A + a);
    const double beta = a * sigma_ / B_new;
    y_ = ((1.0 - alpha) * x + alpha * (1.0 - beta) * v_) / (1.0 - alpha * beta);
    return {.a = a, .alpha = alpha, .beta = beta, .ratio = a / B_new};
  }

  // ∇f(y); merged: f(y), f(x)
  VectorAndScalars gradient(Federation& fed, const Vector& x) {
    return fed.mean_with_scalars({fed.everyone(), fed.nobody()}, merged() ? 2 : 0,
                                 [&](Client& i, VecOut row, VecOut f) {
                                   if (merged()) f << i.value_gradient(y_, row), i.value(x);
                                   else i.gradient(y_, row);
                                   delegate_.keep(i, row);
                                 });
  }

  // v⁺
  Vector mirror_step(Federation& fed, const Step& s, const Vector& g) {
    const Vector center = (1.0 - s.beta) * v_ + s.beta * y_;
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.lambda);
    return delegate_.publish(fed, [&](Client& i, VecOut z) {
      g_v_[i].resize(v_.size());
      i.gradient(v_, g_v_[i]);
      h_[i] = (1.0 - s.beta) * g_v_[i] + s.beta * delegate_.own_gradient(i) - s.ratio * g;
      z = v_;
      i.minimize({.shift = &h_[i], .center = &center, .lambda = o_.lambda}, z, solver);
    });
  }

  struct Distances {
    double W, D, rounding;
  };

  // W(v⁺), D(x⁺, y) and the rounding to expect in either
  Distances distances(Federation& fed, const Step& s, const Vector& x) {
    const Vector d = delegate_.tell_server(fed, 3, [&](Client& i, VecOut told) {
      const Vector& g_y = delegate_.own_gradient(i);
      const double f_y = i.value(y_);
      const double f_v = i.value(v_kept_);
      const double f_v_new = i.value(v_);
      const auto D = [&](double f_p, const Vector& p, double f_q, const Vector& q, const Vector& g_q) {
        return f_p - f_q - g_q.dot(p - q) + 0.5 * o_.lambda * (p - q).squaredNorm();
      };
      told[0] = (1.0 - s.beta) * D(f_v_new, v_, f_v, v_kept_, g_v_[i]) + s.beta * D(f_v_new, v_, f_y, y_, g_y);
      told[1] = D(i.value(x), x, f_y, y_, g_y);
      told[2] = 1e-14 * (1.0 + std::abs(f_y));
    });
    return {d[0], d[1], d[2]};
  }

  void keep(const Vector& x) {
    x_kept_ = x;
    v_kept_ = v_;
    weights_kept_ = weights_;
    Lambda_kept_ = Lambda_;
  }
  void go_back(Vector& x) {
    x = x_kept_;
    v_ = v_kept_;
    weights_ = weights_kept_;
    Lambda_ = 2.0 * Lambda_kept_;
    bound_ = std::numeric_limits<double>::infinity();
  }

  Options o_;
  Delegate delegate_;
  double sigma_;
  double Lambda_;
  EstimatingSequence weights_;
  Vector v_, y_;
  PerClient<Vector> g_v_, h_;  // of the delegate: ∇f_1(v), the shift of its problem
  // Before the last step, which the next round may undo, and what f(x) must not exceed.
  Vector x_kept_, v_kept_;
  EstimatingSequence weights_kept_;
  double Lambda_kept_ = 0.0;
  double bound_ = std::numeric_limits<double>::infinity();
};

inline void Spag::visit_state(StateVisitor& visit) {
  visit.vector("v", v_);
  visit.vector("y", y_);
  visit.number("A", weights_.A);
  visit.number("B", weights_.B);
  visit.number("Lambda", Lambda_);
  visit.vector("x_kept", x_kept_);
  visit.vector("v_kept", v_kept_);
  visit.number("A_kept", weights_kept_.A);
  visit.number("B_kept", weights_kept_.B);
  visit.number("Lambda_kept", Lambda_kept_);
  visit.number("bound", bound_);
}

}  // namespace driftless
