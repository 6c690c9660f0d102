// Accelerated SONATA. Tian, Scutari, Cao, Gasnikov, "Acceleration in distributed optimization under similarity",
// AISTATS 2022, on a star, where mixing is the mean: Catalyst around SONATA with a gradient tracker y.
//
//   κ = β − μ, x_0 = z_0 = x⁰, y = ∇f(x⁰);  F_i = f_i + (κ/2)‖· − x_t‖²
//   for t = 0, 1, …:
//     T times:  v_i = argmin_v F_i(v) + ⟨y − ∇F_i(z), v⟩ + (β/2)‖v − z‖²
//               z⁺ = (1/n) Σ (z + γ(v_i − z));  y ← (1/n) Σ (y + ∇F_i(z⁺) − ∇F_i(z))
//     x_{t+1} = z_{t+1} + ((1 − α)/(1 + α)) (z_{t+1} − z_t),  α = √(μ/β);  y ← y + κ(x_t − x_{t+1})
//
// The server point x of the run is z, the centre x_t is in catalyst_; β = lambda, γ = step, T = inner_rounds, ∇F_i(z) =
// g_i_. Invariant: y = (1/n) Σ ∇F_i(z), also after the centre has moved. β = μ is SONATA, on a star DANE with λ = β.
//
// Rounds: √(β/μ) log(1/ε) with β ≥ δ and T large enough; 2 T exchanges each, and one at the start.
#pragma once

#include "driftless/components/acceleration/catalyst.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct AccSonataOptions {
  double lambda = required;
  double step = 1.0;
  std::size_t inner_rounds = 3;
  LocalSolverOptions local = {};

  static Fields fields() {
    using S = AccSonataOptions;
    return {field("lambda", &S::lambda, positive, "β, pull of the local problems; the similarity δ in theory"),
            field("step", &S::step, probability, "γ, share of the way to the local solutions"),
            field("inner_rounds", &S::inner_rounds, at_least_one, "T, rounds of SONATA per round"), nested(&S::local)};
  }
  void check() const {
    local.check();
    if (local.mu <= 0.0 || local.mu > lambda)
      throw ConfigError(
          {.what = "'mu' must be positive and at most 'lambda': the weight of the Catalyst is lambda − mu",
           .seen = "mu = " + number(local.mu) + ", lambda = " + number(lambda),
           .advice = "give 0 < mu <= lambda"});
  }
};

class AccSonata final : public MethodWith<AccSonataOptions> {
 public:
  explicit AccSonata(const Options& o)
      : MethodWith(o), catalyst_(o.lambda - o.local.mu, o.local.mu, CatalystMomentum::constant) {}

  void prepare(const Federation& fed) override { h_i_ = fed.per_client<Vector>(Vector()); }

  void start(Federation& fed, Vector& z) override {
    prepare(fed);
    catalyst_.start(z);
    g_i_ = fed.per_client<Vector>(Vector::Zero(z.size()));
    y_ = Vector::Zero(z.size());
    track(fed, z);
  }

  void round(Federation& fed, Vector& z) override {
    for (std::size_t k = 0; k < o_.inner_rounds; ++k) {
      z += o_.step * (mean_solution(fed, z) - z);
      track(fed, z);
    }
    const Vector moved = catalyst_.advance(z);  // x_{t+1}; κ(x_t − x_{t+1})
    y_ += moved;
    fed.for_each_client([&](Client& i) { g_i_[i] += moved; });
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t T = o_.inner_rounds;
    return {.exchanges = 2 * T, .up = 2 * T * n, .down = 2 * T * n};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("y", y_);
    catalyst_.visit_state(visit, "x", "z_previous");
    visit.per_client("g_i", g_i_);
  }

 private:
  // (1/n) Σ v_i
  Vector mean_solution(Federation& fed, const Vector& z) {
    const auto [center, weight] = catalyst_.with_pull(z, o_.lambda);
    const LocalSolver solver = o_.local.at_round(fed.round(), weight);
    return fed.mean([&, &c = center, lambda = weight](Client& i, VecOut v_i) {
      h_i_[i] = g_i_[i] - y_;
      v_i = z;
      i.minimize({.shift = &h_i_[i], .center = &c, .lambda = lambda, .start_gradient = &y_}, v_i, solver);
    });
  }
  // y ← (1/n) Σ (y + ∇F_i(z) − g_i), g_i ← ∇F_i(z)
  void track(Federation& fed, const Vector& z) {
    y_ = fed.mean([&](Client& i, VecOut row) {
      row = y_ - g_i_[i];
      catalyst_.gradient(i, z, g_i_[i]);
      row += g_i_[i];
    });
  }

  Catalyst catalyst_;
  Vector y_;
  PerClient<Vector> g_i_, h_i_;
};

}  // namespace driftless
