// InexactDANE. Reddi, Konečný, Richtárik, Póczos, Smola, "AIDE: Fast and communication efficient distributed
// optimization", 2016; with exact solves it is DANE with its damping factor η.
//
//   for r = 0, 1, …:
//     ∇f(w) = (1/n) Σ ∇f_i(w)
//     x_i ≈ argmin_x f_i(x) − ⟨∇f_i(w) − η ∇f(w), x⟩ + (ν/2)‖x − w‖²
//     w⁺ = (1/n) Σ x_i
//
// x = w, ν = lambda, η = damping, ∇f_i(w) − η∇f(w) = h_i_. η = 1 is DANE+ with λ = ν and exact control variate. The
// first local gradient is known: ∇F_i(w) = η ∇f(w).
//
// Departure: the article asks for ‖x_i − x_i*‖ ≤ γ‖w − x_i*‖, which cannot be checked in a run; the stop rules of the
// local solver replace it, with the exact solver for γ = 0. ‖∇F_i(x_i)‖ ≤ θ(ν + μ)‖x_i − w‖, the rule 'relative',
// implies it with γ = θ/(1 − θ).
//
// Rounds: (δ_A/μ) log(1/ε) with η = 1.
#pragma once

#include "driftless/components/acceleration/catalyst.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct InexactDaneOptions {
  double lambda = required;
  double damping = 1.0;
  LocalSolverOptions local = {};

  static Fields fields() {
    using S = InexactDaneOptions;
    return {field("lambda", &S::lambda, nonnegative, "ν, pull towards the server point; δ_A … 2 δ_A in theory"),
            field("damping", &S::damping, positive, "η, weight of ∇f in the local problem; 1 = DANE"),
            nested(&S::local)};
  }
  void check() const { local.check(); }
};

class InexactDane final : public MethodWith<InexactDaneOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override { h_i_ = fed.per_client<Vector>(Vector::Zero(x.size())); }

  void round(Federation& fed, Vector& x) override { step(fed, x, no_pull_); }

  // The round on f + (κ/2)‖· − y‖², for AIDE.
  void step(Federation& fed, Vector& w, const Catalyst& pull) {
    Vector g = fed.mean([&](Client& i, VecOut row) {  // ∇f(w)
      pull.gradient(i, w, h_i_[i]);
      row = h_i_[i];
    });
    g *= o_.damping;
    const auto [center, weight] = pull.with_pull(w, o_.lambda);
    const LocalSolver solver = o_.local.at_round(fed.round(), weight);
    w = fed.mean([&, &c = center, lambda = weight](Client& i, VecOut x_i) {
      h_i_[i] -= g;
      x_i = w;
      i.minimize({.shift = &h_i_[i], .center = &c, .lambda = lambda, .start_gradient = &g}, x_i, solver);
    });
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 2 * n, .down = 2 * n}; }
  void visit_state(StateVisitor& visit) override { visit.per_client("h_i", h_i_); }

 private:
  Catalyst no_pull_{0.0, 0.0, CatalystMomentum::constant};
  PerClient<Vector> h_i_;
};

}  // namespace driftless
