// Accelerated SONATA over a graph. Tian, Scutari, Cao, Gasnikov, "Acceleration in distributed optimization under
// similarity", AISTATS 2022: Catalyst around SONATA; every client has its own centre.
//
//   κ = β − μ, x_i = z_i = x⁰, y_i = ∇f_i(x⁰);  F_i = f_i + (κ/2)‖· − x_i‖²
//   for t = 0, 1, …:
//     T times:  v_i = argmin_v F_i(v) + ⟨y_i − ∇F_i(z_i), v⟩ + (β/2)‖v − z_i‖²
//               z_i⁺ = Mix(z_i + γ(v_i − z_i));  y_i ← Mix(y_i + ∇F_i(z_i⁺) − ∇F_i(z_i))
//     x_i⁺ = z_i⁺ + ((1 − α)/(1 + α)) (z_i⁺ − z_i),  α = √(μ/β);  y_i ← y_i + κ(x_i − x_i⁺)
//
// β = lambda, γ = step, T = inner_rounds; y_i and ∇F_i(z_i) are in tracker_, Mix in mixing_, z_i of the round before is
// z_old_i_. The x of the run is the mean of the z_i, which no client knows; forming it is not counted. Invariant:
// (1/n) Σ y_i = (1/n) Σ ∇F_i(z_i), also after the centres have moved. β = μ is SONATA over the graph, T rounds of it
// per round; the complete graph with tracker_start = mean is acc-sonata.
//
// Rounds: √(β/μ) log(1/ε) with β ≥ δ and T large enough; 2 T K exchanges each, and chebyshev mixing needs K of about
// 1/√(1 − ρ) times a logarithm.
#pragma once

#include "driftless/methods/dane_line/acc_sonata.hpp"
#include "driftless/methods/graph/sonata_graph.hpp"

namespace driftless {

struct AccSonataGraphOptions {
  AccSonataOptions inner = {};
  TrackerStart tracker_start = TrackerStart::local;
  MixingOptions mixing = {};

  static Fields fields() {
    using S = AccSonataGraphOptions;
    return {nested(&S::inner),
            field("tracker_start", &S::tracker_start, anything,
                  "first y_i: own gradient, that mixed, or ∇f(x⁰) by one sum over all"),
            nested(&S::mixing)};
  }
  void check() const {
    inner.check();
    mixing.check();
  }
};

class AccSonataGraph final : public MethodWith<AccSonataGraphOptions> {
 public:
  explicit AccSonataGraph(const Options& o)
      : MethodWith(o),
        kappa_(o_.inner.lambda - o_.inner.local.mu),
        alpha_(std::sqrt(o_.inner.local.mu / o_.inner.lambda)),
        mixing_(o.mixing),
        tracker_(o.tracker_start) {}

  void prepare(const Federation& fed) override {
    mixing_.prepare(fed);
    tracker_.prepare(fed);
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    z_i_ = z_old_i_ = x_i_ = fed.per_client<Vector>(x);
    tracker_.start(fed, mixing_, [&](Client& i, VecOut g) { gradient(i, g); });
  }

  void round(Federation& fed, Vector& x) override {
    for (std::size_t k = 0; k < o_.inner.inner_rounds; ++k) inner_round(fed);
    fed.for_each_client([&](Client& i) {
      const Vector x_old = x_i_[i];
      x_i_[i] = z_i_[i] + (1.0 - alpha_) / (1.0 + alpha_) * (z_i_[i] - z_old_i_[i]);
      z_old_i_[i] = z_i_[i];
      tracker_.add(i, kappa_ * (x_old - x_i_[i]));
    });
    x = fed.observe(z_i_);
  }

  Traffic start_traffic(std::size_t n) const override { return tracker_traffic(o_.tracker_start, mixing_, n); }
  Traffic round_traffic(std::size_t n) const override {
    const std::size_t T = o_.inner.inner_rounds;
    return {.exchanges = 2 * T * mixing_.exchanges(), .up = 2 * T * mixing_.messages(n)};
  }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("z_i", z_i_);
    visit.per_client("z_previous_i", z_old_i_);
    visit.per_client("x_i", x_i_);
    tracker_.visit_state(visit);
  }

 private:
  void gradient(Client& i, VecOut g) const {  // ∇F_i(z_i)
    i.gradient(z_i_[i], g);
    g += kappa_ * (z_i_[i] - x_i_[i]);
  }

  void inner_round(Federation& fed) {
    const double weight = o_.inner.lambda + kappa_;
    const LocalSolver solver = o_.inner.local.at_round(fed.round(), weight);
    fed.for_each_client([&](Client& i) {
      const Vector center = (o_.inner.lambda * z_i_[i] + kappa_ * x_i_[i]) / weight;  // of both quadratics
      Vector v_i = z_i_[i];
      i.minimize(
          {.shift = tracker_.shift(i), .center = &center, .lambda = weight, .start_gradient = tracker_.estimate(i)},
          v_i, solver);
      z_i_[i] += o_.inner.step * (v_i - z_i_[i]);  // z_i + γ(v_i − z_i)
    });
    mixing_(fed, z_i_);
    tracker_.follow(fed, mixing_, [&](Client& i, VecOut g) { gradient(i, g); });
  }

  double kappa_;
  double alpha_;
  Mixing mixing_;
  GradientTracker tracker_;
  PerClient<Vector> z_i_, z_old_i_, x_i_;
};

}  // namespace driftless
