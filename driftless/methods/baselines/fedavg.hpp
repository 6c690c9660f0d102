// FedAvg / Local (S)GD. McMahan, Moore, Ramage, Hampson, Agüera y Arcas, "Communication-efficient learning of deep
// networks from decentralized data", AISTATS 2017.
//
//   for r = 0, 1, …:
//     sample clients S
//     i ∈ S:  y_i = x^r;  K times:  y_i ← y_i − γ g_i(y_i)
//     x^{r+1} = (1/|S|) Σ_{i ∈ S} y_i
//
// With a compressor, y_i − x^r is sent in code (components/compression/compressed_mean.hpp), and x^{r+1} is x^r plus
// the decoded mean.
//
// γ = step, K = local_steps. The mean is uniform: f_i already carries the client's share of the data. With K > 1 and
// clients that differ the limit is not the minimiser of f: the clients drift, with a bias of order γ(K − 1).
#pragma once

#include "driftless/components/compression/compressed_mean.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedAvgOptions {
  LocalStepOptions local = {};
  SamplingOptions sampling = {};
  CodeOptions code = {};

  static Fields fields() {
    using S = FedAvgOptions;
    return {nested(&S::local), nested(&S::sampling), nested(&S::code)};
  }
};

class FedAvg final : public MethodWith<FedAvgOptions> {
 public:
  explicit FedAvg(const Options& o) : MethodWith(o), code_(o.code) {}

  void start(Federation& fed, Vector&) override { code_.start(fed); }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const Vector mean = code_.mean(fed, {S, S}, [&](Client& i, VecOut y) {
      y = x;
      i.minimize({}, y, o_.local.solver());
      if (code_.codes()) y -= x;  // otherwise the points themselves are sent, which gives the bits of the plain mean
    });
    if (code_.codes()) x += mean;
    else x = mean;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
  void visit_state(StateVisitor& visit) override { code_.visit_state(visit); }

 private:
  CompressedMean code_;
};

}  // namespace driftless
