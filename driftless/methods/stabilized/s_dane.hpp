// S-DANE and Acc-S-DANE. Jiang, Rodomanov, Stich, "Stabilized proximal-point methods for federated optimization",
// NeurIPS 2024: DANE whose prox-centre v is moved by gradients at the local solutions instead of by their mean, so that
// a constant accuracy of the local solves suffices.
//
//   v_0 = x_0, A_0 = 0, B_0 = 1
//   for r = 0, 1, …:
//     y = v                                                                    (S-DANE)
//     y = (A x + a v)/(A + a),  λ a² = (A + a) B                               (Acc-S-DANE)
//     x_i ≈ argmin_z f_i(z) − ⟨∇f_i(y) − ∇f(y), z⟩ + (λ/2)‖z − y‖²  until  ‖∇F_i(x_i)‖ ≤ (λ/2)‖x_i − y‖
//     x ← (1/n) Σ x_i,  ḡ = (1/n) Σ ∇f_i(x_i)
//     v ← (λ v + μ x − ḡ)/(λ + μ)                                              (S-DANE)
//     v ← (B v + μ a x − a ḡ)/(B + μ a),  A ← A + a,  B ← B + μ a              (Acc-S-DANE)
//
// S-DANE is Acc-S-DANE with A = 0, B = 1, a = 1/λ in every round, and so it is computed. With a cohort, every mean of
// S-DANE is over the sampled clients. h_i, x_i, T1 are in proximal_steps.hpp, the rules for λ in lambda_rule.hpp.
//
// With search and hybrid every step is tested by T1, whose numbers come with the gradients at the next centre. Let λ'
// be the least weight with which the step would have passed.
//
//   search   λ' > λ: the step is discarded, λ ← 2λ                             (the paper's)
//   hybrid   λ' > λ: the step is shortened by γ = λ/λ' to what T1 proves, discarded only if there is no such λ':
//                    a ← γa,  x ← ((1 − γ) A x + γ (A + a_full) x̄)/(A + a)
//            restart: ⟨ḡ, x⁺ − x⟩ > 0:  A = 0, B = 1, v = x
//
// With both, mu = 0 stands for the convexity that the clients are known to have: the coefficient of an ℓ2 term.
//
// The shortened step needs no new local solve; Carmon, Hausler, Jambulapati, Jin, Sidford, "Optimal and adaptive
// Monteiro-Svaiter acceleration", NeurIPS 2022, damp their momentum in this way. Departures: hybrid as a whole.
//
// Cost: 2 exchanges; a step that fails wastes those it took and the one at its next centre: in S-DANE with search a
// round has 2 exchanges still, otherwise 3 in the round that finds it.
//
// Theory: λ = 2 δ_A with all clients: (δ_A/μ) log(1/ε), accelerated √(δ_A/μ) log(1/ε), without the logarithm of the
// local accuracy. With a cohort and constant λ it stops at a floor that falls as λ grows.
#pragma once

#include "driftless/components/acceleration/estimating_sequence.hpp"
#include "driftless/components/server/sampling.hpp"
#include "driftless/components/similarity/lambda_rule.hpp"
#include "driftless/components/similarity/proximal_steps.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/stabilized/proximal_newton.hpp"

namespace driftless {

struct SDaneOptions {
  LambdaOptions weight = {};
  LocalSolverOptions local = proximal_newton();
  SamplingOptions sampling = {};
  bool accelerated = false;

  static Fields fields() {
    using S = SDaneOptions;
    return {nested(&S::weight), nested(&S::local), nested(&S::sampling),
            field("accelerated", &S::accelerated, anything, "estimating sequence: Acc-S-DANE")};
  }
  void check() const;
};

class SDane final : public MethodWith<SDaneOptions> {
 public:
  explicit SDane(const Options& o) : MethodWith(o), steps_(o.weight.adaptive()), lambda_(o.weight), mu_(o.local.mu) {}

  void prepare(const Federation& fed) override { steps_.prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    lambda_.start(o_.weight.lambda);
    mu_ = o_.local.mu;
    steps_taken_ = 0;
    now_ = kept_ = {.v = x, .weights = {}};
    x_kept_ = x;
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const bool opened = open(fed, S, x);
    used_ = lambda_();
    const LocalSolver solver = o_.local.at_round(fed.round(), used_);
    if (opened) steps_.solve(fed, S, center(x, used_), used_, solver);
    else steps_.solve_again(fed, S, used_, solver);
    keep(x);
    advance(x, 1.0);
    lambda_.expect_success();
    if (now_.weights.A > 0.0) lambda_.propose(steps_.dissimilarity());
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    const bool tested = o_.weight.adaptive();
    return {.exchanges = 2, .up = 3 * s, .down = (tested ? 3 : 2) * s, .at_least = tested};
  }
  void visit_state(StateVisitor& visit) override;

 private:
  struct State {
    Vector v;
    EstimatingSequence weights;
  };

  Vector center(const Vector& x, double lambda) const {  // y
    const EstimatingSequence& w = now_.weights;
    return w.A > 0.0 ? w.query(w.weight(lambda), x, now_.v) : now_.v;
  }

  // ∇f_i(y), and the test of the last step. False if that step has to be solved again, from the same centre.
  bool open(Federation& fed, const Cohort& S, Vector& x) {
    if (!o_.weight.adaptive()) {
      steps_.open(fed, S, center(x, lambda_()));
      return true;
    }
    if (steps_taken_++ == 0) {
      begin(steps_.open_first(fed, center(x, 1.0)));
      return true;
    }
    steps_.open_and_test(fed, center(x, lambda_()));
    if (steps_.needed() <= used_) {
      lambda_.succeeded();
      if (now_.weights.A == 0.0) lambda_.propose(steps_.dissimilarity());  // y does not depend on λ
      return true;
    }
    take_back(x);
    const Vector y = center(x, lambda_());
    if (y == steps_.center()) return false;
    steps_.open(fed, S, y, 1);
    return true;
  }

  void begin(const FirstEstimates& first) {
    if (o_.weight.lambda == 0.0) lambda_.start(first.lambda);
    if (o_.local.mu == 0.0) mu_ = first.mu;
  }
  void keep(const Vector& x) {
    kept_ = now_;
    x_kept_ = x;
  }
  void take_back(Vector& x) {
    const double needed = steps_.needed();
    const bool sound_in_part = needed < std::numeric_limits<double>::infinity();
    now_ = kept_;
    x = x_kept_;
    lambda_.failed(used_, needed, steps_.dissimilarity());
    if (o_.weight.lambda_rule == LambdaRule::hybrid && sound_in_part) advance(x, used_ / needed);
  }

  // x, v, A, B after a step with the weight used_, shortened by γ.
  void advance(Vector& x, double gamma) {
    EstimatingSequence& w = now_.weights;
    const double full = w.weight(used_);
    const double a = gamma * full;
    const double share = gamma * (w.A + full) / (w.A + a);
    const Vector x_new = (1.0 - share) * x + share * steps_.mean_point();
    now_.v = w.follow(a, mu_, now_.v, steps_.mean_point(), steps_.mean_gradient());
    w.advance(a, mu_);
    const bool rises = steps_.mean_gradient().dot(x_new - x) > 0.0;
    x = x_new;
    if (!o_.accelerated) w = {};
    else if (o_.weight.lambda_rule == LambdaRule::hybrid && rises) now_ = {.v = x, .weights = {}};
  }

  ProximalSteps steps_;
  RunningLambda lambda_;
  double mu_;
  double used_ = 0.0;  // λ of the last step
  std::uint64_t steps_taken_ = 0;
  State now_;
  State kept_;     // before the last step, which the next round may take back
  Vector x_kept_;  // likewise
};

inline void SDaneOptions::check() const {
  weight.check();
  local.check();
  if (sampling.cohort > 0 && (weight.adaptive() || accelerated))
    throw ConfigError({.what = "'cohort' needs lambda_rule 'fixed' and no acceleration: with sampled clients the test "
                               "of a step is biased",
                       .seen = "cohort = " + std::to_string(sampling.cohort) +
                               ", lambda_rule = " + toml_string(enum_name(weight.lambda_rule)),
                       .advice = "remove 'cohort', or use s-dane with lambda_rule = \"fixed\" and lambda"});
}

inline void SDane::visit_state(StateVisitor& visit) {
  visit.vector("v", now_.v);
  if (o_.accelerated) {
    visit.number("A", now_.weights.A);
    visit.number("B", now_.weights.B);
  }
  if (!o_.weight.adaptive()) return;
  visit.vector("v_kept", kept_.v);
  if (o_.accelerated) {
    visit.number("A_kept", kept_.weights.A);
    visit.number("B_kept", kept_.weights.B);
  }
  visit.vector("x_kept", x_kept_);
  visit.number("mu", mu_);
  visit.number("lambda_used", used_);
  visit.count("steps", steps_taken_);
  lambda_.visit_state(visit);
  steps_.visit_state(visit);
}

}  // namespace driftless
