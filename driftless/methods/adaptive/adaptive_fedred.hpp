// FedRed-GD without constants: algorithm 3 of Jiang, Rodomanov, Stich, "Federated optimization with doubly regularized
// drift correction", ICML 2024, with λ, η and p found on the way.
//
//   everyone sends ∇f_i(x̃⁰), f_i(x̃⁰)
//   for r = 0, 1, …:
//     p = λ/η, no less than 1/200 and no more than 1;  K ~ Geom(p), drawn at once and the same for all clients
//     x_i = x̃, then K times with h_i = ∇f_i(x̃) − ∇f(x̃):
//       x_i ← (M_i x_i + λ x̃ − (∇f_i(x_i) − h_i))/(M_i + λ),  M_i by local backtracking
//     x⁺ = Avg or Rand of the x_i
//     everyone sends ∇f_i(x⁺), f_i(x⁺), ‖D_i‖², M_i
//     x̃ ← x⁺ if f descends enough, else x̃ as it was;  λ, η from what was sent
//
// D_i, the test of x⁺, λ and η in guarded_point.hpp; with λ = c δ̂ and c = ½ clients take 2η/δ̂ local steps on average. A
// rejected round costs what others cost; after it λ, and with it p, is at least doubled.
//
// A value given for lambda, eta or p is kept; all three are FedRed-GD with restart. Departures: a client's step has its
// own M_i in place of the common η, which it finds where the step is taken; x̃ is fixed for every choice, as ∇F_i(x*) =
// 0. The theory has λ = δ_A, η = L, p = (λ + μ/2)/(η − μ/2). No theorem of the paper is for λ and p that change.
#pragma once

#include "driftless/components/server/averaging.hpp"
#include "driftless/components/similarity/guarded_point.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver.hpp"

namespace driftless {

struct AdaptiveFedRedOptions {
  AdaptiveLambdaOptions weight = {};
  double eta = 0.0;
  double p = 0.0;
  Averaging averaging = Averaging::mean;

  static Fields fields() {
    using S = AdaptiveFedRedOptions;
    return {nested(&S::weight),
            field("eta", &S::eta, nonnegative, "η, smoothness of f_i, kept; 0: each client finds its own"),
            field("p", &S::p, Range{.low = 0.0, .high = 1.0},
                  "chance that an iteration communicates, kept; 0: λ/η, at least 1/200"),
            field("averaging", &S::averaging, anything, "next x: mean of all, or one client's point")};
  }
};

class AdaptiveFedRed final : public MethodWith<AdaptiveFedRedOptions> {
 public:
  explicit AdaptiveFedRed(const Options& o) : MethodWith(o), point_(o.weight) {}

  void start(Federation& fed, Vector& x) override { point_.start(fed, x); }

  void round(Federation& fed, Vector& x) override {
    const LocalSolver solver = iterations(fed.geometric(probability()));
    const Cohort S = chosen(fed, o_.averaging);
    point_.advance_by(fed, x, S, solver);
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 2, .up = chosen_of(n, o_.averaging) + n, .down = 2 * n};
  }
  void visit_state(StateVisitor& visit) override { point_.visit_state(visit); }

 private:
  double probability() const {
    if (o_.p > 0.0) return o_.p;
    const double eta = o_.eta > 0.0 ? o_.eta : point_.smoothness();
    return std::clamp(point_.lambda() / eta, 1.0 / 200.0, 1.0);
  }
  LocalSolver iterations(std::size_t steps) const {
    if (o_.eta > 0.0) return ProxGradient{.eta = o_.eta, .stop = {.max_steps = steps}};
    return AdaptiveGradient{.stop = {.max_steps = steps}, .accelerated = false};
  }

  GuardedPoint point_;
};

}  // namespace driftless
