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
// μ_φ = lambda, μ = mu, Λ (the paper's L_rel G, with L_rel = 1) = Lambda; D and the step to v⁺ are in phi_.
//
// A round is one exchange. A step that the paper's search rejects costs its round. The merged test needs f(x⁺), which
// is sent with the next ∇f(y): the round after a rejected step detects it, restores the previous state and exchanges
// once more. Steps so small that rounding decides both tests are accepted, with the Λ after the last rejection.
//
// The rule was reconstructed without access to the paper. Checks: where φ is a multiple of ‖·‖² it is Nesterov's
// accelerated gradient method, for n = 1 and small μ_φ it needs a few rounds, and where the paper's search diverges
// (μ_φ far below Δ_1) the merged test does not (tests/methods/dane_line_test.cpp). Theory: μ_φ ≥ Δ_1, then √(Δ_1/μ)
// log(1/ε) rounds once the gain is 1.
#pragma once

#include "driftless/components/acceleration/estimating_sequence.hpp"
#include "driftless/components/server/delegate_geometry.hpp"
#include "driftless/methods/method.hpp"

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
  LocalSolverOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = SpagOptions;
    return {field("lambda", &S::lambda, positive, "μ_φ, convexity added to the delegate's loss; Δ_1 in theory"),
            field("gain_rule", &S::gain_rule, anything, "how the gain Λ is found"),
            field("gain", &S::gain, at_least_one, "Λ at the start; 1 is right for quadratics"), nested(&S::local),
            nested(&S::at_server)};
  }
  void check() const { local.check(); }
};

class Spag final : public MethodWith<SpagOptions> {
 public:
  explicit Spag(const Options& o)
      : MethodWith(o),
        delegate_(o.at_server),
        phi_(delegate_, o.lambda),
        sigma_(o.local.mu / (o.local.mu + 2.0 * o.lambda)) {}

  void prepare(const Federation& fed) override {
    delegate_.prepare(fed);
    phi_.prepare(fed);
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    now_ = {.v = x, .weights = {}, .Lambda = o_.gain};
    safe_ = o_.gain;
    bound_ = std::numeric_limits<double>::infinity();
    keep(x);
  }

  void round(Federation& fed, Vector& x) override {
    Step s = next_step(x);
    VectorAndScalars at_y = gradient(fed, x);
    if (rejects_last_step(at_y)) {
      undo_step(x);
      s = next_step(x);
      at_y = gradient(fed, x);
    }
    const auto& [g, f] = at_y;
    keep(x);
    now_.v = phi_.mirror_step(fed, {kept_.v, y_, s.beta}, s.ratio * g, o_.local.at_round(fed.round(), o_.lambda));
    x = (1.0 - s.alpha) * x + s.alpha * now_.v;
    now_.weights.advance(s.a, sigma_);
    if (o_.gain_rule == SpagGain::fixed) return;
    const auto [W, D, rounding] = phi_.distances(fed, {kept_.v, y_, s.beta}, now_.v, x);
    const double most = s.alpha * s.alpha * now_.Lambda * W + rounding;
    if (o_.gain_rule == SpagGain::search && !(D <= most)) return undo_step(x);
    if (merged()) bound_ = f[0] + g.dot(x - y_) + most;
    const bool telling = most > 100.0 * rounding;
    now_.Lambda = telling ? std::max(0.5 * now_.Lambda, 1.1 * sigma_) : std::max(now_.Lambda, safe_);
  }

  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = n, .down = n, .at_least = merged()};
  }
  void visit_state(StateVisitor& visit) override {
    now_.visit(visit, "v", "A", "B", "Lambda");
    kept_.visit(visit, "v_kept", "A_kept", "B_kept", "Lambda_kept");
    visit.vector("x_kept", x_kept_);
    visit.number("bound", bound_);
    visit.number("Lambda_safe", safe_);
  }

 private:
  struct Step {
    double a, alpha, beta, ratio;  // ratio = a/(B + aσ)
  };
  struct State {
    Vector v;
    EstimatingSequence weights;
    double Lambda = 1.0;

    void visit(StateVisitor& visit, const char* v_name, const char* A, const char* B, const char* gain) {
      visit.vector(v_name, v);
      visit.number(A, weights.A);
      visit.number(B, weights.B);
      visit.number(gain, Lambda);
    }
  };

  bool merged() const { return o_.gain_rule == SpagGain::merged; }
  bool rejects_last_step(const VectorAndScalars& at_y) const { return merged() && !(at_y.scalars[1] <= bound_); }

  Step next_step(const Vector& x) {
    const double a = now_.weights.coupled_weight(now_.Lambda, sigma_);
    const double B_new = now_.weights.B + sigma_ * a;
    const double alpha = a / (now_.weights.A + a);
    const double beta = a * sigma_ / B_new;
    y_ = ((1.0 - alpha) * x + alpha * (1.0 - beta) * now_.v) / (1.0 - alpha * beta);
    return {.a = a, .alpha = alpha, .beta = beta, .ratio = a / B_new};
  }

  // ∇f(y); merged: f(y), f(x)
  VectorAndScalars gradient(Federation& fed, const Vector& x) {
    return fed.mean_with_scalars({fed.everyone(), fed.nobody()}, merged() ? 2 : 0,
                                 [&](Client& i, VecOut row, VecOut f) {
                                   if (merged()) {
                                     // One after the other: a round may be abandoned in each of them.
                                     f[0] = i.value_gradient(y_, row);
                                     f[1] = i.value(x);
                                   } else i.gradient(y_, row);
                                   delegate_.keep(i, row);
                                 });
  }

  void keep(const Vector& x) {
    kept_ = now_;
    x_kept_ = x;
  }
  void undo_step(Vector& x) {
    x = x_kept_;
    now_ = kept_;
    now_.Lambda *= 2.0;
    safe_ = now_.Lambda;
    bound_ = std::numeric_limits<double>::infinity();
  }

  Delegate delegate_;
  DelegateGeometry phi_;
  double sigma_;
  Vector y_;
  State now_;
  State kept_;         // before the last step, which the next round may undo
  Vector x_kept_;      // likewise
  double safe_ = 1.0;  // Λ after the last rejection, for steps so small that rounding decides the test
  double bound_ = std::numeric_limits<double>::infinity();  // that f(x) must not exceed, or the last step is undone
};

}  // namespace driftless
