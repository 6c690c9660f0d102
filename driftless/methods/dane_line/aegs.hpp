// AEGS, accelerated extragradient sliding. Kovalev, Beznosikov, Borodich, Gasnikov, Scutari, "Optimal gradient sliding
// and its application to distributed optimization under similarity", NeurIPS 2022, for f = q + p with q = f_1, the loss
// of the delegate, and p = f − f_1. PROX_1(c, λ) = argmin_y f_1(y) + ⟨∇p(c), y⟩ + (λ/2)‖y − c‖².
//
//   extragradient, τ = min{1, √μ/(2√L_p)}, θ = 1/(2L_p), η = min{1/(2μ), 1/(2√(μL_p))}, α = μ:
//     x_g = τ x + (1 − τ) x_f
//     x_f ← PROX_1(x_g, 1/θ)
//     x ← x + ηα(x_f − x) − η ∇f(x_f)
//   estimating sequence, A = 0, B = 1, λ = L_p:
//     a with λ a² = (A + a) B;  x_g = (A x_f + a x)/(A + a)
//     x_f ← PROX_1(x_g, λ)
//     x ← (B x + μ a x_f − a ∇f(x_f))/(B + μ a);  A ← A + a, B ← B + μ a
//     adaptive:  only if ⟨∇f(x_f), x_g − x_f⟩ ≥ ‖∇f(x_f)‖²/(2λ), and then λ ← λ/2; else nothing moves and λ ← 2λ
//
// With λ well below Δ_1 neither form converges; adaptive finds its own λ.
//
// The server point x of the run is x_f, the output; the paper's x is x_. L_p = lambda ≥ Δ_1, μ = mu. A rejected round
// costs its two exchanges. Departures: by default the exact solver replaces the paper's inexactness rule; public code
// has 2λ a² in the second form, while λ a², as in Acc-S-DANE, is faster.
//
// The parameters of the first form were reconstructed without access to the paper. Checks: both forms reach x* and need
// √L_p times as many rounds (tests/methods/dane_line_test.cpp). Rounds: √(Δ_1/μ) log(1/ε); second form, μ = 0: √(Δ_1
// R_0²/ε).
#pragma once

#include "driftless/components/acceleration/estimating_sequence.hpp"
#include "driftless/components/server/delegate.hpp"
#include "driftless/methods/method.hpp"

#include <algorithm>

namespace driftless {

enum class AegsForm { estimating_sequence, extragradient };
template <>
struct EnumNames<AegsForm> {
  static constexpr std::array<std::string_view, 2> value{"estimating-sequence", "extragradient"};
};

struct AegsOptions {
  double lambda = required;
  AegsForm form = AegsForm::estimating_sequence;
  bool adaptive = false;
  LocalSolverOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = AegsOptions;
    return {field("lambda", &S::lambda, positive, "L_p, how much ∇(f − f_1) changes; Δ_1 in theory"),
            field("form", &S::form, anything, "which of the two recursions"),
            field("adaptive", &S::adaptive, anything,
                  "λ found by doubling and halving from 'lambda'; estimating sequence only"),
            nested(&S::local), nested(&S::at_server)};
  }
  void check() const {
    local.check();
    if (form == AegsForm::estimating_sequence) return;
    if (local.mu == 0.0)
      throw ConfigError({.what = "form 'extragradient' divides by 'mu'",
                         .seen = "mu = 0",
                         .advice = "give mu > 0, or use form = \"estimating-sequence\""});
    if (adaptive)
      throw ConfigError({.what = "form 'extragradient' has no adaptive version",
                         .seen = "adaptive = true",
                         .advice = "use form = \"estimating-sequence\""});
  }
};

class Aegs final : public MethodWith<AegsOptions> {
 public:
  explicit Aegs(const Options& o) : MethodWith(o), delegate_(o.at_server) {}

  void prepare(const Federation& fed) override { delegate_.prepare(fed); }

  void start(Federation& fed, Vector& x_f) override {
    prepare(fed);
    lambda_ = o_.lambda;
    weights_ = {};
    x_ = x_f;
  }

  void round(Federation& fed, Vector& x_f) override {
    if (o_.form == AegsForm::extragradient) extragradient(fed, x_f);
    else estimating_sequence(fed, x_f);
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override {
    visit.vector("x", x_);
    visit.number("A", weights_.A);
    visit.number("B", weights_.B);
    visit.number("lambda", lambda_);
  }

 private:
  void extragradient(Federation& fed, Vector& x_f) {
    const double mu = o_.local.mu;
    const double L_p = o_.lambda;
    const double tau = std::min(1.0, std::sqrt(mu) / (2.0 * std::sqrt(L_p)));
    const double eta = std::min(1.0 / (2.0 * mu), 1.0 / (2.0 * std::sqrt(mu * L_p)));
    const Vector x_g = tau * x_ + (1.0 - tau) * x_f;
    x_f = prox(fed, x_g, 2.0 * L_p);  // 1/θ
    x_ += eta * mu * (x_f - x_) - eta * gradient(fed, x_f);
  }

  void estimating_sequence(Federation& fed, Vector& x_f) {
    const double a = weights_.weight(lambda_);
    const Vector x_g = weights_.query(a, x_f, x_);
    const Vector x_f_new = prox(fed, x_g, lambda_);
    const Vector g = gradient(fed, x_f_new);
    if (o_.adaptive) {
      const Vector d = x_g - x_f_new;
      const bool rounding = d.norm() <= 1e-12 * (1.0 + x_g.norm());  // the test would compare rounding errors
      const bool accepted = rounding || g.dot(d) >= g.squaredNorm() / (2.0 * lambda_);
      lambda_ *= accepted ? 0.5 : 2.0;
      if (!accepted) return;
    }
    x_f = x_f_new;
    x_ = weights_.follow(a, o_.local.mu, x_, x_f, g);
    weights_.advance(a, o_.local.mu);
  }

  Vector prox(Federation& fed, const Vector& x_g, double lambda) {
    const Vector g = delegate_.gradient(fed, x_g);
    return delegate_.prox(fed, x_g, g, lambda, o_.local.at_round(fed.round(), lambda));
  }
  static Vector gradient(Federation& fed, const Vector& x) {
    return fed.mean([&](Client& i, VecOut row) { i.gradient(x, row); });
  }

  Delegate delegate_;
  double lambda_ = 0.0;
  EstimatingSequence weights_;
  Vector x_;
};

}  // namespace driftless
