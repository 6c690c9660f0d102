// FedProx. Li, Sahu, Zaheer, Sanjabi, Talwalkar, Smith, "Federated optimization in heterogeneous networks", MLSys 2020.
//
//   for r = 0, 1, …:
//     sample clients S
//     i ∈ S:  x_i ≈ argmin_y f_i(y) + (λ/2)‖y − x^r‖²
//     x^{r+1} = (1/|S|) Σ_{i ∈ S} x_i
//
// λ = lambda (μ in the article). It is DANE+ without control variate, and the limit is biased: the bias falls like 1/λ,
// and so does the speed.
#pragma once

#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct FedProxOptions {
  double lambda = required;
  LocalSolverOptions local = {};
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedProxOptions;
    return {field("lambda", &S::lambda, nonnegative, "λ, pull towards the server point"), nested(&S::local),
            nested(&S::sampling)};
  }
  void check() const { local.check(); }
};

class FedProx final : public MethodWith<FedProxOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation&, Vector&) override {}

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.lambda);
    x = fed.mean({S, S}, [&](Client& i, VecOut y) {
      y = x;
      i.minimize({.center = &x, .lambda = o_.lambda}, y, solver);
    });
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
};

}  // namespace driftless
