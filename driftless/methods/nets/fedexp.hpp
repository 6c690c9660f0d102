// FedExP. Jhunjhunwala, Wang, Joshi, "FedExP: speeding up federated averaging via extrapolation", ICLR 2023.
//
//   for t = 0, 1, …:
//     sample clients S
//     i ∈ S:  x_i = x;  K times:  x_i ← x_i − γ g_i(x_i);   Δ_i = x_i − x
//     Δ = (1/|S|) Σ_S Δ_i
//     η_g = max{1, (1/|S|) Σ_S ‖Δ_i‖² / (2 (‖Δ‖² + ε))}
//     x ← x + η_g Δ
//
// γ = step, K = local_steps, ε = epsilon, η_g = eta_g_, that of the last round. One number is sent with every Δ_i. The
// rule is that of public code; the article was not available. Checks: equal clients give η_g = 1, so FedAvg, and with
// one local step of at most 1/L and a common minimiser x* of all f_i the distance to x* never grows: ⟨∇f_i(x), x − x*⟩
// ≥ ‖∇f_i(x)‖²/L allows η_g up to twice the quotient. Departure: the article outputs the mean of the last two points.
//
// Without a common minimiser η_g grows where ‖Δ‖ falls below the difference of the clients, up to that difference over
// ε: x then circles around the limit of FedAvg, the wider the smaller ε.
#pragma once

#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedExpOptions {
  LocalStepOptions local = {};
  double epsilon = 1e-3;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedExpOptions;
    return {nested(&S::local),
            field("epsilon", &S::epsilon, positive, "ε, squared length of an update that is not to be enlarged"),
            nested(&S::sampling)};
  }
};

class FedExp final : public MethodWith<FedExpOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation&, Vector&) override {}

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const auto [delta, square] = fed.mean_with_scalars({S, S}, 1, [&](Client& i, VecOut x_i, VecOut square_i) {
      x_i = x;
      i.minimize({}, x_i, o_.local.solver());
      x_i -= x;  // Δ_i
      square_i[0] = x_i.squaredNorm();
    });
    eta_g_ = std::max(1.0, square[0] / (2.0 * (delta.squaredNorm() + o_.epsilon)));
    x += eta_g_ * delta;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
  void visit_state(StateVisitor& visit) override { visit.number("eta_g", eta_g_); }

 private:
  double eta_g_ = 1.0;
};

}  // namespace driftless
