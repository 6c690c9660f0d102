// AIDE. Reddi, Konečný, Richtárik, Póczos, Smola, "AIDE: Fast and communication efficient distributed optimization",
// 2016: Catalyst around InexactDANE.
//
//   q = μ/(μ + τ), ζ_0 = √q, y_0 = w_0 = x⁰
//   for t = 0, 1, …:
//     w_{t+1} = s rounds of InexactDANE on f + (τ/2)‖· − y_t‖², from w_t
//     ζ_{t+1}² + (ζ_t² − q) ζ_{t+1} − ζ_t² = 0
//     y_{t+1} = w_{t+1} + (ζ_t(1 − ζ_t)/(ζ_t² + ζ_{t+1})) (w_{t+1} − w_t)
//
// x = w, τ = tau, μ = mu, s = inner_rounds; y, ζ in catalyst_. τ = 0 is InexactDANE. A round is one t, that is 2 s
// exchanges. Departure: the two centres y and w are one for the local solver, so its relative stop rules measure the
// distance to the common centre; with μ = 0, ζ_0 = 1.
//
// Theory: τ = max(δ_A − μ, 0), then √(δ_A/μ) log(1/ε) rounds on quadratics, up to logarithms.
#pragma once

#include "driftless/methods/dane_line/inexact_dane.hpp"

namespace driftless {

struct AideOptions {
  double tau = required;
  std::size_t inner_rounds = 3;
  InexactDaneOptions inner = {};

  static Fields fields() {
    using S = AideOptions;
    return {field("tau", &S::tau, nonnegative, "τ, weight of the Catalyst; max(δ_A − μ, 0) in theory"),
            field("inner_rounds", &S::inner_rounds, at_least_one, "s, rounds of InexactDANE per round"),
            nested(&S::inner)};
  }
  void check() const { inner.check(); }
};

class Aide final : public MethodWith<AideOptions> {
 public:
  explicit Aide(const Options& o)
      : MethodWith(o), inner_(o.inner), catalyst_(o.tau, o.inner.local.mu, CatalystMomentum::variable) {}

  void start(Federation& fed, Vector& x) override {
    inner_.start(fed, x);
    catalyst_.start(x);
  }

  void round(Federation& fed, Vector& x) override {
    for (std::size_t s = 0; s < o_.inner_rounds; ++s) inner_.step(fed, x, catalyst_);  // w_{t+1}
    catalyst_.advance(x);                                                              // y_{t+1}
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.inner_rounds;
    return {.exchanges = 2 * s, .up = 2 * s * n, .down = 2 * s * n};
  }
  void visit_state(StateVisitor& visit) override {
    inner_.visit_state(visit);
    catalyst_.visit_state(visit, "y", "w_previous");
  }

 private:
  InexactDane inner_;
  Catalyst catalyst_;
};

}  // namespace driftless
