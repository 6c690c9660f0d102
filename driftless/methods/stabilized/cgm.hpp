// CGM, the composite gradient method on f = f_1 + (f − f_1), where f_1 is the loss of the delegate, a client at the
// server (Nesterov, "Gradient methods for minimizing composite functions", Math. Programming 2013): DANE+ and SONATA
// whose next x is the point of one fixed client.
//
//   for r = 0, 1, …:
//     ∇f(x), f(x)                                                                                one exchange
//     x⁺ ≈ argmin_y f_1(y) + ⟨∇f(x) − ∇f_1(x), y⟩ + (λ/2)‖y − x‖²                               at the server
//     accepted if T3: f(x⁺) ≤ F(x⁺) − (λ/4)‖x⁺ − x‖²; otherwise x stays and λ grows
//
//   λ:  fixed    λ, without a test
//       search   doubled after a failure, halved after a step that passes
//       hybrid   κ Δ̂, Δ̂ = ‖∇h_1(x⁺) − ∇h_1(x)‖/‖x⁺ − x‖ along the last step
//
// T3 and its form for small steps are in delegate_step.hpp, the rules in lambda_rule.hpp. The test of a step comes with
// the gradient at its end, so a round is one exchange; a step that fails wastes it, and the round that finds it solves
// again from the point before. f falls in every accepted step, also where it is not convex. For n = 1 it is the
// proximal point method.
//
// Rounds with λ = 2 Δ_1: (Δ_1/μ) log(1/ε), Δ_1 R_0²/ε, non-convex Δ_1 F_0/ε.
#pragma once

#include "driftless/components/similarity/delegate_step.hpp"
#include "driftless/components/similarity/first_estimates.hpp"
#include "driftless/components/similarity/lambda_rule.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/stabilized/proximal_newton.hpp"

namespace driftless {

struct CgmOptions {
  LambdaOptions weight = {};
  LocalSolverOptions local = proximal_newton();
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = CgmOptions;
    return {nested(&S::weight), nested(&S::local), nested(&S::at_server)};
  }
  void check() const {
    weight.check();
    local.check();
  }
};

class Cgm final : public MethodWith<CgmOptions> {
 public:
  explicit Cgm(const Options& o) : MethodWith(o), delegate_(o.at_server), test_(o.at_server), lambda_(o.weight) {}

  void prepare(const Federation& fed) override {
    delegate_.prepare(fed);
    test_.prepare(fed);
  }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    lambda_.start(o_.weight.lambda);
    kept_ = {.x = x, .gradient = Vector::Zero(x.size())};
    steps_taken_ = 0;
  }

  void round(Federation& fed, Vector& x) override {
    if (o_.weight.adaptive()) take_gradient_and_test(fed, x);
    else kept_ = {.x = x, .gradient = delegate_.gradient(fed, x)};
    const double lambda = lambda_();
    used_ = lambda;
    x = delegate_.prox(fed, kept_.x, kept_.gradient, lambda, o_.local.at_round(fed.round(), lambda));
    lambda_.expect_success();
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    if (!o_.weight.adaptive()) return;
    visit.vector("x_kept", kept_.x);
    visit.vector("gradient", kept_.gradient);
    visit.number("f", kept_.value);
    visit.number("lambda_used", used_);
    visit.count("steps", steps_taken_);
    lambda_.visit_state(visit);
    test_.visit_state(visit);
  }

 private:
  // kept_ becomes x, if the step to it is accepted.
  void take_gradient_and_test(Federation& fed, const Vector& x) {
    const DelegateStepTest::Point here = evaluate(fed, x);
    if (steps_taken_++ > 0) {
      test_.judge(fed, delegate_, kept_, here, used_);
      if (!test_.passes()) {
        lambda_.failed(used_, test_.needed(), test_.dissimilarity());
        return test_.take_back(fed, delegate_);
      }
      lambda_.succeeded();
      lambda_.propose(test_.dissimilarity());
    }
    kept_ = here;
    test_.accept(fed);
  }

  DelegateStepTest::Point evaluate(Federation& fed, const Vector& x) {
    const bool first = steps_taken_ == 0;
    const std::size_t numbers = first ? 1 + static_cast<std::size_t>(FirstEstimates::count) : 1;
    VectorAndScalars at_x =
        fed.mean_with_scalars({fed.everyone(), fed.nobody()}, numbers, [&](Client& i, VecOut row, VecOut scalars) {
          const double value = i.value_gradient(x, row);
          scalars[0] = value;
          delegate_.keep(i, row);
          test_.keep(i, row, value);
          if (first) FirstEstimates::measure(i, x, row, scalars.tail(4));
        });
    if (first && o_.weight.lambda == 0.0)
      lambda_.start(FirstEstimates::from(at_x.scalars.tail(4), at_x.vector, fed.everyone().size()).lambda);
    return {.x = x, .gradient = std::move(at_x.vector), .value = at_x.scalars[0]};
  }

  Delegate delegate_;
  DelegateStepTest test_;
  RunningLambda lambda_;
  DelegateStepTest::Point kept_;  // the last accepted x
  double used_ = 0.0;             // λ of the last step
  std::uint64_t steps_taken_ = 0;
};

}  // namespace driftless
