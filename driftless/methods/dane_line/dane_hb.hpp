// DANE-HB. Yuan, Li, "On convergence of distributed approximate Newton methods: globalization, sharper bounds and
// beyond", 2019: the delegate's proximal step with a heavy ball.
//
//   for t = 0, 1, …:
//     w = PROX_1(x_t, γ) = argmin_y f_1(y) + ⟨∇f(x_t) − ∇f_1(x_t), y⟩ + (γ/2)‖y − x_t‖²
//     x_{t+1} = w + β (x_t − x_{t−1}),   x_{−1} = x_0
//
// γ = lambda, β = beta, x_{t−1} = x_previous_; f_1 is the loss of `delegate`. β = 0 is the composite gradient method
// (CGM) with f_1 as model.
//
// Theory: γ ≥ Δ_1, the Lipschitz constant of ∇(f − f_1), and β = (1 − √(μ/(μ + 2γ)))². The rule was
// reconstructed without access to the paper. Checks: the eigenvalues of (∇²f_1 + γ)⁻¹∇²f lie in [μ/(μ + 2γ), 1], for
// which that β is the best heavy ball, with spectral radius √β, and tests/methods/dane_line_test.cpp finds it on
// quadratics. Rounds: √(γ/μ) log(1/ε) near x*, globally for quadratics; f need not fall in every round.
#pragma once

#include "driftless/components/server/delegate.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct DaneHbOptions {
  double lambda = required;
  double beta = required;
  LocalSolverOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = DaneHbOptions;
    return {field("lambda", &S::lambda, nonnegative, "γ, pull towards the server point; Δ_1 in theory"),
            field("beta", &S::beta, Range{.low = 0.0, .high = 1.0, .high_open = true},
                  "β, heavy ball; (1 − √(μ/(μ + 2γ)))² in theory, 0 = CGM"),
            nested(&S::local), nested(&S::at_server)};
  }
  void check() const { local.check(); }
};

class DaneHb final : public MethodWith<DaneHbOptions> {
 public:
  explicit DaneHb(const Options& o) : MethodWith(o), delegate_(o.at_server) {}

  void prepare(const Federation& fed) override { delegate_.prepare(fed); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    x_previous_ = x;
  }

  void round(Federation& fed, Vector& x) override {
    const Vector g = delegate_.gradient(fed, x);
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.lambda);
    const Vector w = delegate_.prox(fed, x, g, o_.lambda, solver);
    const Vector x_new = w + o_.beta * (x - x_previous_);
    x_previous_ = x;
    x = x_new;
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override { visit.vector("x_previous", x_previous_); }

 private:
  Delegate delegate_;
  Vector x_previous_;
};

}  // namespace driftless
