// TAMUNA. Condat, Agarský, Malinovsky, Richtárik, "TAMUNA: doubly accelerated federated learning with local training,
// compression, and partial participation", 2023.
//
//   x̄ = x⁰, Σ h_i = 0
//   for r = 0, 1, …:
//     sample c clients S;  ℒ ~ Geom(p);  masks: every coordinate is owned by s of the c clients, drawn uniformly
//     i ∈ S:  x_i = x̄;  ℒ times  x_i ← x_i − γ (g_i(x_i) − h_i);  sends the coordinates that it owns
//     x̄⁺_k = (1/s) Σ_{owners of k} x_{i,k}
//     i ∈ S:  h_i ← h_i + (η/γ)(x̄⁺ − x_i) where i owns,  else as it was
//
// c = cohort, γ = step, s = sparsity, x = x̄, η = pχ with χ = n(s − 1)/(s(n − 1)). The clients send s d numbers in all,
// counted as c vectors. The server sends x̄ to the clients that begin a round and, where other clients begin the next
// one, x̄⁺ to the clients that end it, which need it for h_i; they need only the coordinates that they own, but a whole
// vector is counted.
//
// The updates were compared with a public implementation; parameters and rate were reconstructed without access to the
// article and derived again: with x̂_i the points before a communication, the owners of a coordinate give
// E‖x̄⁺ − x*‖² = (1/n) Σ‖x̂_i − x*‖² − (χ/n) Σ‖x̂_i − mean‖², and with γ ≤ 2/(L + μ), η ≤ pχ
//   E Ψ_{t+1} ≤ max((1 − γμ)², 1 − p η (s − 1)/(n − 1)) Ψ_t,
//   Ψ = Σ‖x_i − x*‖² + γ² (n − 1)/(p η (s − 1)) Σ‖h_i − ∇f_i(x*)‖², per iteration.
// That inequality is tested in exact expectation; c = s = n is Scaffnew.
//
// Theory: γ = 1/L, p = min(1, √(n/(sκ))): (√(nκ/s) + n/s) log(1/ε) rounds, for every c.
#pragma once

#include "driftless/components/compression/masks.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct TamunaOptions {
  double step = required;
  double p = required;
  std::size_t sparsity = 0;
  std::size_t batch = 0;
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = TamunaOptions;
    return {field("step", &S::step, positive, "γ, size of a local step; 1/L is safe"),
            field("p", &S::p, probability, "inverse of the mean number of local steps; √(nμ/(sL)) in theory"),
            field("sparsity", &S::sparsity, nonnegative, "s, owners of a coordinate, at least 2; 0 = the cohort"),
            field("batch", &S::batch, nonnegative, "samples per local step; 0 = all"), nested(&S::sampling)};
  }
  void check() const {
    if (sparsity == 1 || (sparsity == 0 && sampling.cohort == 1))
      throw ConfigError(
          {.what = "with one owner per coordinate every h_i stays at zero and clients drift as in FedAvg",
           .seen = "sparsity = " + std::to_string(sparsity) + ", cohort = " + std::to_string(sampling.cohort),
           .advice = "give sparsity >= 2 and cohort >= 2"});
    if (sampling.cohort != 0 && sparsity > sampling.cohort)
      throw ConfigError(
          {.what = "a coordinate cannot have more owners than clients that take part",
           .seen = "sparsity = " + std::to_string(sparsity) + ", cohort = " + std::to_string(sampling.cohort),
           .advice = "give sparsity <= cohort"});
  }
};

class Tamuna final : public MethodWith<TamunaOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    x_i_ = fed.per_client<Vector>(x);
    h_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const std::size_t s = owners(fed.clients());
    const CoordinateMasks masks(S, fed.order(S.size()), s);
    const LocalStepOptions local{.step = o_.step, .batch = o_.batch};
    const LocalSolver solver = local.solver(fed.geometric(o_.p));  // ℒ steps
    fed.for_each_client(S, [&](Client& i) {
      x_i_[i] = x;
      i.minimize({.shift = &h_i_[i]}, x_i_[i], solver);
    });
    const std::size_t along = S.is_everyone() ? 0 : 1;
    const Vector mean = fed.mean({S, S, along, masks.bytes(fed.dim())}, [&](Client& i, VecOut row) {
      row = x_i_[i];
      masks.keep_owned(i.id(), row);
    });
    x = (static_cast<double>(S.size()) / static_cast<double>(s)) * mean;  // (1/s) Σ over the owners
    const double m = o_.p * chi(fed.clients(), s) / o_.step;              // η/γ
    fed.for_each_client(S, [&](Client& i) {
      Vector drift = x - x_i_[i];
      masks.keep_owned(i.id(), drift);
      h_i_[i] += m * drift;
    });
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t c = o_.sampling.size(n);
    return {.exchanges = 1, .up = c, .down = c == n ? n : 2 * c};
  }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  std::size_t owners(std::size_t n) const {
    const std::size_t c = o_.sampling.size(n);
    return o_.sparsity == 0 ? c : std::min(o_.sparsity, c);
  }
  static double chi(std::size_t clients, std::size_t sparsity) {
    const double n = static_cast<double>(clients);
    const double s = static_cast<double>(sparsity);
    return clients == 1 ? 1.0 : n * (s - 1.0) / (s * (n - 1.0));
  }

  PerClient<Vector> x_i_, h_i_;
};

}  // namespace driftless
