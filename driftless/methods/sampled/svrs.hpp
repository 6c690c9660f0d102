// SVRS, stochastic variance-reduced sliding. Lin, Han, Ye, Zhang, "Stochastic distributed optimization under average
// second-order similarity: algorithms and analysis", NeurIPS 2023.
//
//   for every epoch, from x_0 = the last x:
//     everyone sends ∇f_i(x_0);  N ~ Geom(p)
//     N times:  one client i, drawn uniformly
//       t_k = [∇(f_i − f_1)(x_k) − ∇(f_i − f_1)(x_0)] + ∇(f − f_1)(x_0)
//       x_{k+1} ≈ argmin_y ⟨t_k, y⟩ + (1/(2θ))‖y − x_k‖² + f_1(y)
//
// θ = step, f_1 is the loss of `delegate`, at the server. A round is one k: one client receives x_k and sends one
// vector; the round that begins an epoch has the exchange with everyone before it. Departures: `cohort` clients may be
// sampled in place of one, and with all of them t_k = ∇(f − f_1)(x_k), the composite gradient method; the exact solver
// replaces the paper's inexactness rule by default.
//
// The rule was read in papers that build on it; θ = √p/(4 δ_A) is a rule of thumb of the order that the theory has.
// Checks: E t_k = ∇(f − f_1)(x_k) in exact expectation, and that identical clients give the proximal point method
// (tests/methods/sampled/sampled_clients_test.cpp). Theory: p = 1/n, (n + √n δ/μ) log(1/ε) messages of clients.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/methods/sampled/svrs_epoch.hpp"

namespace driftless {

class Svrs final : public MethodWith<SvrsStepOptions> {
 public:
  explicit Svrs(const Options& o) : MethodWith(o), epoch_(o) {}

  void prepare(const Federation& fed) override { epoch_.prepare(fed); }
  void start(Federation& fed, Vector& x) override { epoch_.start(fed, x); }

  void round(Federation& fed, Vector& x) override {
    if (epoch_.ended()) epoch_.begin(fed, x);
    epoch_.step(fed, x);
  }

  Traffic round_traffic(std::size_t n) const override { return epoch_.step_traffic(n); }
  void visit_state(StateVisitor& visit) override { epoch_.visit_state(visit); }

 private:
  SvrsEpoch epoch_;
};

}  // namespace driftless
