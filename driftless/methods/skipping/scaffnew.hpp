// Scaffnew: ProxSkip for consensus. Mishchenko, Malinovsky, Stich, Richtárik, "ProxSkip: yes! local gradient steps
// provably lead to communication acceleration! finally!", ICML 2022.
//
//   x_i = x⁰, Σ h_i = 0
//   for t = 0, 1, … with one shared coin θ_t, true with probability p:
//     x̂_i = x_i − γ (g_i(x_i) − h_i)
//     θ_t true:  x̄ = (1/n) Σ x̂_i,  h_i ← h_i + (p/γ)(x̄ − x̂_i),  x_i ← x̄        else  x_i ← x̂_i
//
// A round is everything up to and including a true coin; every round starts from x_i = x̄ = x. γ = step. With γ = 1/L, p
// = √(μ/L): E V_{t+1} ≤ (1 − min(γμ, p²)) V_t for V = Σ‖x_i − x*‖² + (γ/p)² Σ‖h_i − ∇f_i(x*)‖², so about √(L/μ)
// log(1/ε) rounds.
//
// For γ and p that go to zero together this rate is pessimistic: Hu, Huang, "Tighter analysis for ProxSkip", ICML 2023,
// prove a contraction by O(p) instead of O(p²). Only the abstract of that article was available, so its constants are
// not stated here. Measured on quadratics, rounds depend on p/γ alone and are fewest near p = γ√(μL), for every γ ≤
// 1/L. So a step below 1/L saves no rounds and costs local steps in proportion; it pays with batches, whose noise falls
// with γ: keep p = γ√(μL) then, and the rounds stay.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct ScaffnewOptions {
  double step = required;
  double p = required;
  std::size_t batch = 0;
  DriftStart h_start = DriftStart::zero;

  static Fields fields() {
    using S = ScaffnewOptions;
    return {field("step", &S::step, positive, "γ, size of a local step; 1/L is safe"),
            field("p", &S::p, probability, "chance that an iteration communicates; √(μ/L) in theory"),
            field("batch", &S::batch, nonnegative, "samples per local step; 0 = all"),
            field("h_start", &S::h_start, anything, "first h_i: zero, or exact differences for one exchange")};
  }
};

class Scaffnew final : public MethodWith<ScaffnewOptions> {
 public:
  explicit Scaffnew(const Options& o)
      : MethodWith(o), h_({.control_variate = ControlVariateRule::drift, .h_start = o.h_start}, o.p / o.step) {}

  void start(Federation& fed, Vector& x) override {
    h_.start(fed, x);
    x_i_ = fed.per_client<Vector>(x);
  }

  void round(Federation& fed, Vector& x) override {
    const LocalStepOptions local{.step = o_.step, .batch = o_.batch};
    const LocalSolver solver = local.solver(fed.geometric(o_.p));  // iterations until θ_t is true
    fed.for_each_client([&](Client& i) {
      x_i_[i] = x;
      i.minimize({.shift = h_[i]}, x_i_[i], solver);
    });
    x = fed.mean(x_i_);
    h_.follow(fed, x, x_i_);
  }

  Traffic start_traffic(std::size_t n) const override { return h_.start_traffic(n); }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    h_.visit_state(visit);
  }

 private:
  ControlVariate h_;
  PerClient<Vector> x_i_;
};

}  // namespace driftless
