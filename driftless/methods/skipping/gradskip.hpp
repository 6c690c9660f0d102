// GradSkip. Maranjyan, Safaryan, Richtárik, "GradSkip: communication-accelerated local gradient methods with better
// computational complexity", 2022.
//
//   x_i = x⁰, Σ h_i = 0
//   for t = 0, 1, … with one shared coin θ_t, true with probability p, and each client's own coin η_i, true with q_i:
//     ĥ_i = h_i if η_i, else ∇f_i(x_i);      x̂_i = x_i − γ (∇f_i(x_i) − ĥ_i)
//     θ_t true:  x_i ← x̄ = (1/n) Σ (x̂_j − (γ/p) ĥ_j)        else  x_i ← x̂_i
//     h_i ← ĥ_i + (p/γ)(x_i − x̂_i)
//
// A round is everything up to and including a true θ. Once η_i was false, x_i no longer moves and ĥ_i = ∇f_i(x_i) for
// either value of the next η_i: the client is idle until the communication and computes no gradient. So a client makes
// as many steps as its coins allow, and one gradient more if they end before θ does. Σ h_i = 0 holds after every
// communication.
//
// γ = step. q_i: one number for all, or from the client's own L_i, which it measures at x⁰ by power iteration:
//   q_i = (1 − p²/(γ L_i)) / (1 − p²),  the smallest that the theorem allows for γ and p.
// With γ = 1/L and p = √(μ/L) these are the article's q_i = (1 − 1/κ_i)/(1 − 1/κ_max), κ_i = L_i/μ.
//
// The rule and its theorem were reconstructed without access to the article, and the theorem was proved again. For
// V = Σ‖x_i − x*‖² + (γ/p)² Σ‖h_i − ∇f_i(x*)‖² a communication is a projection, so that with d = x_i − x*,
// g = ∇f_i(x_i) − ∇f_i(x*), e = h_i − ∇f_i(x*), and expectation over all coins, client i has no more than
//   ‖d − γ g‖² + (1 − p²)(γ/p)² (q_i ‖e‖² + (1 − q_i)‖g‖²),
// and γ ≤ p²/(L_i (1 − q_i (1 − p²))) gives E V_{t+1} ≤ (1 − min(γμ, p²)) V_t. That inequality is also tested in exact
// expectation; q = 1 is Scaffnew, q = 0 gradient descent with step γ/p.
//
// Rounds √κ_max log(1/ε) as for Scaffnew; gradients per round at most min(κ_i, √κ_max) in the mean.
#pragma once

#include "driftless/components/server/control_variate.hpp"
#include "driftless/components/server/curvature.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/methods/method.hpp"

#include <algorithm>

namespace driftless {

enum class GradSkipRule { same, condition };
template <>
struct EnumNames<GradSkipRule> {
  static constexpr std::array<std::string_view, 2> value{"same", "condition"};
};

struct GradSkipOptions {
  double step = required;
  double p = required;
  GradSkipRule q_rule = GradSkipRule::same;
  double q = 1.0;
  std::size_t power_steps = 50;
  DriftStart h_start = DriftStart::zero;

  static Fields fields() {
    using S = GradSkipOptions;
    return {
        field("step", &S::step, positive, "γ, size of a local step; 1/L is safe"),
        field("p", &S::p, probability, "chance that an iteration communicates; √(μ/L) in theory"),
        field("q_rule", &S::q_rule, anything, "q_i: the same for all, or from the condition of each client"),
        field("q", &S::q, Range{.low = 0.0, .high = 1.0}, "q of the rule same: chance that a client continues to work"),
        field("power_steps", &S::power_steps, at_least_one, "Hessian products by which condition measures L_i"),
        field("h_start", &S::h_start, anything, "first h_i: zero, or exact differences for one exchange")};
  }
};

class GradSkip final : public MethodWith<GradSkipOptions> {
 public:
  explicit GradSkip(const Options& o)
      : MethodWith(o), h_({.control_variate = ControlVariateRule::drift, .h_start = o.h_start}, o.p / o.step) {}

  void start(Federation& fed, Vector& x) override {
    h_.start(fed, x);
    x_i_ = fed.per_client<Vector>(x);
    q_i_ = fed.per_client<double>(o_.q);
    if (o_.q_rule == GradSkipRule::condition)
      fed.for_each_client([&](Client& i) { q_i_[i] = smallest_q(largest_curvature(i, x, o_.power_steps)); });
  }

  void round(Federation& fed, Vector& x) override {
    const std::size_t iterations = fed.geometric(o_.p);  // until θ_t is true
    fed.for_each_client([&](Client& i) { local_iterations(i, x, iterations); });
    x = fed.mean([&](Client& i, VecOut row) { row = x_i_[i] - (o_.step / o_.p) * h_.values()[i]; });
    h_.follow(fed, x, x_i_);
  }

  Traffic start_traffic(std::size_t n) const override { return h_.start_traffic(n); }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    h_.visit_state(visit);
    visit.per_client("q_i", q_i_);
  }

 private:
  // x_i = x̂_i and h_i = ĥ_i of the last iteration before the communication
  void local_iterations(Client& i, const Vector& x, std::size_t iterations) {
    std::size_t steps = 0;
    while (steps < iterations && i.chance().bernoulli(q_i_[i])) ++steps;  // η_i true
    x_i_[i] = x;
    if (steps > 0) i.minimize({.shift = h_[i]}, x_i_[i], LocalStepOptions{.step = o_.step}.solver(steps));
    if (steps < iterations) i.gradient(x_i_[i], h_.values()[i]);  // η_i false: idle from here on
  }

  double smallest_q(double L_i) const {
    const double p2 = o_.p * o_.p;
    if (p2 == 1.0) return 1.0;  // every iteration communicates
    return std::clamp((1.0 - p2 / (o_.step * L_i)) / (1.0 - p2), 0.0, 1.0);
  }

  ControlVariate h_;
  PerClient<Vector> x_i_;
  PerClient<double> q_i_;
};

}  // namespace driftless
