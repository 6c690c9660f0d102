// FedOpt: FedAdam, FedYogi, FedAdagrad. Reddi, Charles, Zaheer, Garrett, Rush, Konečný, Kumar, McMahan, "Adaptive
// federated optimization", ICLR 2021.
//
//   m = 0, v = v_0
//   for t = 0, 1, …:
//     sample clients S
//     i ∈ S:  x_i = x;  K times:  x_i ← x_i − η_l g_i(x_i);   Δ_i = x_i − x
//     Δ = (1/|S|) Σ_S Δ_i
//     x, m, v ← step of the server's optimiser with Δ (components/server/server_optimizer.hpp)
//
// η_l = step, K = local_steps, η = server_step; the name fixes server_optimizer, `fedopt` leaves it open. SGD with η =
// 1 and β_1 = 0 is FedAvg. Departure: clients have equal weight, as everywhere here.
//
// It is stationary where Δ = 0 and m = 0, as FedAvg is: with K > 1 and clients that differ this is not x*. Near that
// point v of adam vanishes, and x follows m with weight η/τ: it converges if (1 − β_1)(η/τ) η_l K L < 2 (1 + β_1),
// otherwise it oscillates. Rate: non-convex 1/√(n K T) under bounded gradients, stated without access to the article;
// its choice τ = G/L, η = √(n K), η_l = 1/(K L √T) needs a bound G on the gradients and the number T of rounds.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/components/server/server_optimizer.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedOptOptions {
  LocalStepOptions local = {};
  ServerOptimizerOptions server = {};
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedOptOptions;
    return {nested(&S::local), nested(&S::server), nested(&S::sampling)};
  }
};

class FedOpt final : public MethodWith<FedOptOptions> {
 public:
  explicit FedOpt(const Options& o) : MethodWith(o), server_(o.server) {}

  void start(Federation&, Vector& x) override { server_.start(x.size()); }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Vector delta = fed.mean({S, S}, [&](Client& i, VecOut x_i) {
      x_i = x;
      i.minimize({}, x_i, o_.local.solver());
      x_i -= x;  // Δ_i
    });
    server_.advance(x, delta);
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("m", server_.m());
    visit.vector("v", server_.v());
  }

 private:
  ServerOptimizer server_;
};

}  // namespace driftless
