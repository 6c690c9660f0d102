// ProxSkip-VR for consensus, with the L-SVRG estimator. Malinovsky, Yi, Richtárik, "Variance reduced ProxSkip:
// algorithm, theory and application to federated learning", NeurIPS 2022.
//
//   x_i = w_i = x⁰, Σ h_i = 0
//   for t = 0, 1, … with one shared coin θ_t, true with probability p:
//     g_i = ∇f_{i,ξ}(x_i) − ∇f_{i,ξ}(w_i) + ∇f_i(w_i), one batch ξ for both points
//     with probability q, by a coin of client i alone:  w_i⁺ = x_i        else  w_i⁺ = w_i
//     x̂_i = x_i − γ (g_i − h_i)
//     θ_t true:  x̄ = (1/n) Σ x̂_i,  h_i ← h_i + (p/γ)(x̄ − x̂_i),  x_i ← x̄        else  x_i ← x̂_i
//
// A round is everything up to and including a true coin, as in scaffnew.hpp. γ = step, ∇f_i(w_i) = g_w_i_. batch = 0
// takes full gradients: then there is no w_i, and the method is Scaffnew.
//
// Local work: two batch gradients in each iteration, a full gradient at the start and with each new w_i: 2 + q passes
// per iteration. Batches come from a new random order of the samples in each epoch; the article draws each batch
// independently.
//
// The method was reconstructed without access to the article. Checks: full batches give Scaffnew, x* is fixed with any
// batches, and the potential below for single samples, as an average over runs.
//
// Theory, with L the smoothness of every sample's loss: γ = 1/(6L), p = √(γμ), q = 2γμ or more: E V_{t+1} ≤
// (1 − min(γμ, p², q/2)) V_t for V = Σ‖x_i − x*‖² + (γ/p)² Σ‖h_i − ∇f_i(x*)‖² + (4γ²/q) Σ σ_i², σ_i² the mean over
// samples j of ‖∇f_{i,j}(w_i) − ∇f_{i,j}(x*)‖²: √(L/μ) log(1/ε) rounds, as many as Scaffnew.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct ProxSkipVrOptions {
  double step = required;
  double p = required;
  double q = required;
  std::size_t batch = 1;
  DriftStart h_start = DriftStart::zero;

  static Fields fields() {
    using S = ProxSkipVrOptions;
    return {field("step", &S::step, positive, "γ, size of a local step; 1/(6L) in theory, L of single samples"),
            field("p", &S::p, probability, "chance that an iteration communicates; √(γμ) in theory"),
            field("q", &S::q, probability,
                  "chance that an iteration renews w_i; the batch's share of the samples is usual"),
            field("batch", &S::batch, nonnegative, "samples per local step; 0 = all, which is scaffnew"),
            field("h_start", &S::h_start, anything, "first h_i: zero, or exact differences for one exchange")};
  }
};

class ProxSkipVr final : public MethodWith<ProxSkipVrOptions> {
 public:
  explicit ProxSkipVr(const Options& o)
      : MethodWith(o), h_({.control_variate = ControlVariateRule::drift, .h_start = o.h_start}, o.p / o.step) {}

  void start(Federation& fed, Vector& x) override {
    h_.start(fed, x);
    x_i_ = fed.per_client<Vector>(x);
    if (!reduces_variance()) return;
    w_i_ = g_w_i_ = x_i_;
    fed.for_each_client([&](Client& i) { i.gradient(w_i_[i], g_w_i_[i]); });
  }

  void round(Federation& fed, Vector& x) override {
    const std::size_t iterations = fed.geometric(o_.p);  // until θ_t is true
    fed.for_each_client([&](Client& i) {
      x_i_[i] = x;
      if (reduces_variance()) iterate(i, iterations);
      else steps(i, iterations);
    });
    x = fed.mean(x_i_);
    h_.follow(fed, x, x_i_);
  }

  Traffic start_traffic(std::size_t n) const override { return h_.start_traffic(n); }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    h_.visit_state(visit);
    if (!reduces_variance()) return;
    visit.per_client("w_i", w_i_);
    visit.per_client("g_w_i", g_w_i_);
  }

 private:
  bool reduces_variance() const { return o_.batch > 0; }

  // x_i ← x_i − γ (g_i − h_i), so many times with one w_i
  void steps(Client& i, std::size_t count) {
    if (count == 0) return;
    const LocalStepOptions local{.step = o_.step, .batch = o_.batch};
    Subproblem F{.shift = h_[i]};
    if (reduces_variance()) F.anchor = {.point = &w_i_[i], .gradient = &g_w_i_[i]};
    i.minimize(F, x_i_[i], local.solver(count));
  }

  // Steps up to the next iteration whose coin renews w_i; that iteration itself still uses the old w_i.
  void iterate(Client& i, std::size_t iterations) {
    for (std::size_t left = iterations; left > 0;) {
      std::size_t before = 0;
      while (before < left && !i.chance().bernoulli(o_.q)) ++before;
      steps(i, before);
      left -= before;
      if (left == 0) return;
      const Vector w_new = x_i_[i];  // w_i⁺ = x_i
      steps(i, 1);
      --left;
      w_i_[i] = w_new;
      i.gradient(w_i_[i], g_w_i_[i]);
    }
  }

  ControlVariate h_;
  PerClient<Vector> x_i_, w_i_, g_w_i_;
};

}  // namespace driftless
