// SONATA over a graph, without a server. Sun, Daneshmand, Scutari, "Distributed optimization based on gradient tracking
// revisited: enhancing convergence rate via surrogation", SIAM Journal on Optimization 2022.
//
//   x_i = x⁰, y_i = ∇f_i(x⁰)
//   for r = 0, 1, …:
//     x̂_i ≈ argmin_y f_i(y) − ⟨∇f_i(x_i) − y_i, y⟩ + (τ/2)‖y − x_i‖²
//     x_i⁺ = Mix(x_i + a (x̂_i − x_i));  y_i⁺ = Mix(y_i + ∇f_i(x_i⁺) − ∇f_i(x_i))
//
// τ = lambda, a = step; y_i and ∇f_i(x_i) are in tracker_, Mix in mixing_ (components/graph/mixing.hpp). The x of the
// run is the mean of the x_i, which no client knows; forming it is not counted. Invariant: (1/n) Σ y_i = (1/n) Σ
// ∇f_i(x_i). x_i = x*, y_i = 0 is a fixed point.
//
// Departures: undirected graphs, so that no push-sum weights are needed; the article's common regulariser G is not
// implemented; Mix may take several exchanges. tracker_start = mixed or mean starts with better y_i.
//
// The order of the steps is that of public implementations. Tests check: on the complete graph with tracker_start =
// mean this is SONATA on a star; with `local` the first step differs, and from then on the trackers are those of a
// star. Network-DANE (Li, Cen, Chen, Chi, "Communication-efficient distributed optimization in networks with gradient
// tracking and variance reduction", JMLR 2020) has a = 1 and tracker_start = mixed: it mixes and tracks before a local
// solve instead of after it, and in the first round x_i = x⁰ needs no mixing.
//
// Rounds: (δ_B/μ) log(1/ε) with τ = δ_B, once Mix removes most of the disagreement. With less mixing the disagreement
// determines the rate. Where all clients have the Hessian H, its part along an eigenvalue λ of Mix follows, with b =
// aH/(H + τ) and in the coordinates (H x, y), the matrix (λ, −λb; λ(λ − 1), λ(1 − λb)). It contracts for every λ ≥ 0,
// by about 1 − (1 − λ)²/b a round for λ near 1; a negative λ must have λ²(2b − 1) + 2|λ| < 1, which is |λ| < √2 − 1 for
// b = 1. So one plain exchange diverges on a torus of 4 × 4 (λ = −0.6) with a small τ, and so do two of chebyshev on a
// long ring: use an even number of plain ones, weights = lazy, or more steps.
#pragma once

#include "driftless/components/graph/gradient_tracker.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct SonataGraphOptions {
  double lambda = required;
  double step = 1.0;
  TrackerStart tracker_start = TrackerStart::local;
  LocalSolverOptions local = {};
  MixingOptions mixing = {};

  static Fields fields() {
    using S = SonataGraphOptions;
    return {field("lambda", &S::lambda, nonnegative, "τ, pull towards the client's point; δ_B in theory"),
            field("step", &S::step, probability, "a, share of the way to the local solution that is taken"),
            field("tracker_start", &S::tracker_start, anything,
                  "first y_i: own gradient, that mixed, or ∇f(x⁰) by one sum over all clients"),
            nested(&S::local), nested(&S::mixing)};
  }
  void check() const {
    local.check();
    mixing.check();
  }
};

// Traffic of the first y_i.
inline Traffic tracker_traffic(TrackerStart start, const Mixing& mixing, std::size_t n) {
  if (start == TrackerStart::mixed) return {.exchanges = mixing.exchanges(), .up = mixing.messages(n)};
  if (start == TrackerStart::mean) return {.exchanges = 1, .up = n, .down = n};
  return {};
}

class SonataGraph final : public MethodWith<SonataGraphOptions> {
 public:
  explicit SonataGraph(const Options& o) : MethodWith(o), mixing_(o.mixing), tracker_(o.tracker_start) {}

  void prepare(const Federation& fed) override {
    mixing_.prepare(fed);
    tracker_.prepare(fed);
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    x_i_ = fed.per_client<Vector>(x);
    tracker_.start(fed, mixing_, [&](Client& i, VecOut g) { i.gradient(x_i_[i], g); });
  }

  void round(Federation& fed, Vector& x) override {
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.lambda);
    fed.for_each_client([&](Client& i) {
      Vector x_hat = x_i_[i];
      i.minimize(
          {.shift = tracker_.shift(i), .center = &x_i_[i], .lambda = o_.lambda, .start_gradient = tracker_.estimate(i)},
          x_hat, solver);
      x_i_[i] += o_.step * (x_hat - x_i_[i]);  // x_i + a (x̂_i − x_i)
    });
    mixing_(fed, x_i_);
    tracker_.follow(fed, mixing_, [&](Client& i, VecOut g) { i.gradient(x_i_[i], g); });
    x = fed.observe(x_i_);
  }

  Traffic start_traffic(std::size_t n) const override { return tracker_traffic(o_.tracker_start, mixing_, n); }
  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 2 * mixing_.exchanges(), .up = 2 * mixing_.messages(n)};
  }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    tracker_.visit_state(visit);
  }

 private:
  Mixing mixing_;
  GradientTracker tracker_;
  PerClient<Vector> x_i_;
};

}  // namespace driftless
