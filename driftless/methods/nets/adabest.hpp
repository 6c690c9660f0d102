// AdaBest. Varno, Saghayi, Rafiee Sevyeri, Gupta, Matwin, Havaei, "AdaBest: minimizing client drift in federated
// learning via adaptive bias estimation", ECCV 2022.
//
//   w = θ̄_0 = x⁰, h_i = 0, t_i = 0
//   for t = 1, 2, …:
//     sample clients S
//     i ∈ S:  θ_i = w;  K times:  θ_i ← θ_i − γ (g_i(θ_i) − (μ/K) h_i)
//             h_i ← h_i/(t − t_i) + (w − θ_i),   t_i ← t
//     θ̄_t = (1/|S|) Σ_S θ_i
//     h = β (θ̄_{t−1} − θ̄_t),   w ← θ̄_t − h
//
// γ = step, K = local_steps, μ = mu, β = beta, w = w_, h_i = h_i_, t_i = t_i_ (vectors of one entry), the round in
// which client i was last seen: what it knows of its drift fades with its absence. x, the point that is measured, is
// the mean θ̄_t. Written as in public code, which divides μ by the steps of an epoch; here the K steps are one epoch and
// clients have equal weight. The article keeps μ h_i in place of h_i.
//
// β = μ = 0 is FedAvg; μ = 0 is FedAvg with the server's extrapolation θ̄_t + β (θ̄_t − θ̄_{t−1}).
// With all clients, full batches and μ > 0 it is stationary only where θ_i = w, that is (μ/K) h_i = ∇f_i(w): there is
// no drift left, but every w is such a point. From the start above, Σ_i h_i = n (x⁰ − θ̄_t + β (θ̄_{t−1} − x⁰)) at every
// t, so that the limit minimises f + (μ (1 − β)/(2K))‖x − x⁰‖²: a pull towards the start, not x*. Both were derived
// here and are tested; no rate is known.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct AdaBestOptions {
  LocalStepOptions local = {};
  double mu = 0.1;
  double beta = 0.85;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = AdaBestOptions;
    return {nested(&S::local), field("mu", &S::mu, nonnegative, "μ, weight of the clients' drift estimates"),
            field("beta", &S::beta, Range{.low = 0.0, .high = 1.0, .high_open = true},
                  "β, how far the server extrapolates in the direction of its last move"),
            nested(&S::sampling)};
  }
};

class AdaBest final : public MethodWith<AdaBestOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    w_ = x;
    h_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
    t_i_ = fed.per_client<Vector>(Vector::Zero(1));
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const double t = static_cast<double>(fed.round()) + 1.0;
    const Vector theta = fed.mean({S, S}, [&](Client& i, VecOut theta_i) { local_work(i, t, theta_i); });
    w_ = theta + o_.beta * (theta - x);  // θ̄_t − h
    x = theta;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("w", w_);
    visit.per_client("h_i", h_i_);
    visit.per_client("t_i", t_i_);
  }

 private:
  void local_work(Client& i, double t, VecOut theta_i) {
    const Vector shift = o_.mu / static_cast<double>(o_.local.local_steps) * h_i_[i];
    theta_i = w_;
    i.minimize({.shift = &shift}, theta_i, o_.local.solver());
    h_i_[i] = h_i_[i] / (t - t_i_[i][0]) + (w_ - theta_i);
    t_i_[i][0] = t;
  }

  Vector w_;
  PerClient<Vector> h_i_, t_i_;
};

}  // namespace driftless
