// DANE+ without constants: algorithm 1 of Jiang, Rodomanov, Stich, "Federated optimization with doubly regularized
// drift correction", ICML 2024, whose λ follows the dissimilarity along the path and whose steps are tested.
//
//   everyone sends ∇f_i(x⁰), f_i(x⁰)
//   for r = 0, 1, …:
//     x_i ≈ argmin_y f_i(y) − ⟨∇f_i(x^r) − ∇f(x^r), y⟩ + (λ_r/2)‖y − x^r‖²
//     x⁺ = Avg or Rand of the x_i
//     everyone sends ∇f_i(x⁺), f_i(x⁺), ‖D_i‖²
//     x^{r+1} = x⁺ if f descends enough, else x^r;  λ_{r+1} from δ̂ = √((1/n) Σ‖D_i − D‖²)/‖x⁺ − x'‖, or doubled
//
// x' is the trial before x⁺, D_i = ∇f_i(x⁺) − ∇f_i(x'), D their mean; test and λ in guarded_point.hpp. The exchange
// that tests x⁺ also gives the h_i there, so a round has two exchanges and a rejected one costs no more. Local solves
// end at ‖∇F_i(x_i)‖ ≤ (λ/2)‖x_i − x‖ (R1 of S-DANE) by a solver that finds its step sizes; stop_rule = "e_r" is the
// paper's.
//
// λ = lambda, kept, is DANE+ itself, with the exchange of gradients moved to the end of a round. Departure: the test
// compares f(x⁺) with f(x) where the published line search of S-DANE tests T1: it rejects less, as T1 implies f(x⁺) ≤
// f(x) − ‖ḡ‖²/(2λ) for convex f_i, ḡ = (1/n) Σ ∇f_i(x_i), and is the same for f_i that are not convex, for which T1
// means nothing.
//
// Rounds: where λ ≥ 2 δ_A those of DANE+, (δ_A/μ) log(1/ε) and δ_A R_0²/ε. Along the path δ̂ is often far below δ_A, and
// so are λ and the number of rounds.
#pragma once

#include "driftless/components/server/averaging.hpp"
#include "driftless/components/similarity/guarded_point.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct AdaptiveDanePlusOptions {
  AdaptiveLambdaOptions weight = {};
  LocalSolverOptions local = {.solver = SolverName::adaptive, .stop_rule = StopRuleName::proximal, .tolerance = 0.5};
  Averaging averaging = Averaging::mean;
  ClientChoice choice = {};

  static Fields fields() {
    using S = AdaptiveDanePlusOptions;
    return {nested(&S::weight), nested(&S::local),
            field("averaging", &S::averaging, anything, "next x: mean of all, or one client's point"),
            nested(&S::choice)};
  }
  void check() const {
    local.check();
    choice.check(averaging);
  }
};

class AdaptiveDanePlus final : public MethodWith<AdaptiveDanePlusOptions> {
 public:
  explicit AdaptiveDanePlus(const Options& o) : MethodWith(o), point_(o.weight) {}

  void start(Federation& fed, Vector& x) override {
    o_.choice.require_fit(fed.clients());
    point_.start(fed, x);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = o_.choice.chosen(fed, o_.averaging);
    const LocalSolver solver = o_.local.at_round(fed.round(), point_.lambda());
    point_.advance_by(fed, x, S, solver);
  }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    o_.choice.require_fit(n);
    return {.exchanges = 2, .up = chosen_of(n, o_.averaging) + n, .down = 2 * n};
  }
  void visit_state(StateVisitor& visit) override { point_.visit_state(visit); }

 private:
  GuardedPoint point_;
};

}  // namespace driftless
