// AccSVRS. Lin, Han, Ye, Zhang, "Stochastic distributed optimization under average second-order similarity: algorithms
// and analysis", NeurIPS 2023: SVRS coupled with a mirror sequence, as Katyusha couples SVRG.
//
//   y = z = x⁰
//   for every epoch:
//     x = τ z + (1 − τ) y
//     y⁺ = SVRS(x), one epoch with θ and p
//     G = p [∇(f_1 − f)(x) − ∇(f_1 − f)(y⁺) + (x − y⁺)/θ]
//     z⁺ = (z/α − G + μ y⁺)/(1/α + μ)
//
// θ = step, τ = tau, α = alpha, μ = mu. The server point of the run is the x_k of the epoch, at its end y⁺. A round is
// one step of the epoch, as in SVRS; the round that ends an epoch has one more exchange with everyone, for ∇f(y⁺), and
// the one that begins an epoch one for ∇f(x).
//
// The rule was read in a paper that builds on it, the constants θ = √p/(4 δ_A), τ = min(¼, √(μθ/p)/4), α = θ/(8pτ) are
// the analogues of that paper's. Checks: x* is fixed, and with one client the messages are fewer than those of SVRS
// where δ/μ is large (tests/methods/sampled/sampled_clients_test.cpp). Theory: (n + n^{3/4} √(δ/μ)) log(1/ε) messages.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/methods/sampled/svrs_epoch.hpp"

namespace driftless {

struct AccSvrsOptions {
  SvrsStepOptions inner = {};
  double tau = required;
  double alpha = required;

  static Fields fields() {
    using S = AccSvrsOptions;
    return {nested(&S::inner), field("tau", &S::tau, probability, "τ, share of z in the point where an epoch begins"),
            field("alpha", &S::alpha, positive, "α, step of the sequence z; θ/(8 p τ) in theory")};
  }
  void check() const { inner.check(); }
};

class AccSvrs final : public MethodWith<AccSvrsOptions> {
 public:
  explicit AccSvrs(const Options& o) : MethodWith(o), epoch_(o.inner) {}

  void prepare(const Federation& fed) override { epoch_.prepare(fed); }
  void start(Federation& fed, Vector& y) override {
    epoch_.start(fed, y);
    z_ = y;
  }

  void round(Federation& fed, Vector& y) override {
    if (epoch_.ended()) {
      y = o_.tau * z_ + (1.0 - o_.tau) * y;  // x
      epoch_.begin(fed, y);
    }
    epoch_.step(fed, y);
    if (epoch_.ended()) follow(fed, y);
  }

  Traffic round_traffic(std::size_t n) const override { return epoch_.step_traffic(n); }
  void visit_state(StateVisitor& visit) override {
    visit.vector("z", z_);
    epoch_.visit_state(visit);
  }

 private:
  void follow(Federation& fed, const Vector& y) {
    const Vector& x = epoch_.anchor();
    const Vector g_y = fed.mean([&](Client& i, VecOut row) { i.gradient(y, row); });
    const Vector of_delegate = epoch_.delegate_change(fed, y);  // ∇f_1(x) − ∇f_1(y⁺)
    const Vector of_mean = epoch_.anchor_gradient() - g_y;
    const Vector G = o_.inner.p * (of_delegate - of_mean + (x - y) / o_.inner.step);
    const double mu = o_.inner.local.mu;
    z_ = (z_ / o_.alpha - G + mu * y) / (1.0 / o_.alpha + mu);
  }

  SvrsEpoch epoch_;
  Vector z_;
};

}  // namespace driftless
