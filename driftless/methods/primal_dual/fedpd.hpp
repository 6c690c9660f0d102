// FedPD. Zhang, Hong, Dhople, Yin, Liu, "FedPD: a federated learning framework with adaptivity to non-IID data", IEEE
// Transactions on Signal Processing 2021.
//
//   x_{0,i} = x_i = x⁰, λ_i = 0
//   for k = 0, 1, …:
//     x_i ≈ argmin_y f_i(y) + ⟨λ_i, y − x_{0,i}⟩ + (1/(2η))‖y − x_{0,i}‖²
//     λ_i ← λ_i + (x_i − x_{0,i})/η
//     x_{0,i}⁺ = x_i + η λ_i
//     with probability 1 − p:  x_0 = (1/n) Σ x_{0,j}⁺, x_{0,i} ← x_0        else:  x_{0,i} ← x_{0,i}⁺
//
// p = p is the chance to SKIP a communication, the opposite of FedRed and Scaffnew. A round is everything up to and
// including a communication, drawn at once as a geometric number of iterations; x = x_0. η = step, x_i = x_i_, λ_i =
// lambda_i_; x_{0,i} exists only inside a round. Local solves start at the previous x_i. The article's other oracle,
// with variance-reduced stochastic gradients, is not implemented.
//
// With exact solves λ_i = −∇f_i(x_i), and with p = 0 the x_i are the θ_i of FedDyn with α = 1/η. Across a skipped
// iteration x* is a fixed point only where ∇f_i(x*) = 0, so p > 0 converges to x* only for clients that share it.
//
// Theory: non-convex O(1/ε) rounds with p = 0 and 0 < η < (√5 − 1)/(4L); through the equality with FedDyn,
// √(L/μ) log(1/ε) with η = 1/√(μL).
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct FedPdOptions {
  double step = required;
  double p = 0.0;
  LocalSolverOptions local = {};

  static Fields fields() {
    using S = FedPdOptions;
    return {field("step", &S::step, positive, "η, inverse of the pull towards the server point; 1/√(μL) if convex"),
            field("p", &S::p, Range{.low = 0.0, .high = 1.0, .high_open = true},
                  "chance that an iteration skips its communication; 0 unless the clients share a minimiser"),
            nested(&S::local)};
  }
  void check() const { local.check(); }
};

class FedPd final : public MethodWith<FedPdOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    x_i_ = fed.per_client<Vector>(x);
    lambda_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
  }

  void round(Federation& fed, Vector& x) override {
    const std::size_t iterations = fed.geometric(1.0 - o_.p);  // up to the first that communicates
    const LocalSolver solver = o_.local.at_round(fed.round(), 1.0 / o_.step);
    x = fed.mean([&](Client& i, VecOut x_0) {
      x_0 = x;
      for (std::size_t k = 0; k < iterations; ++k) local_iteration(i, x_0, solver);
    });
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("lambda_i", lambda_i_);
  }

 private:
  void local_iteration(Client& i, VecOut x_0, const LocalSolver& solver) {
    const Vector shift = -lambda_i_[i];
    const Vector center = x_0;
    i.minimize({.shift = &shift, .center = &center, .lambda = 1.0 / o_.step}, x_i_[i], solver);
    lambda_i_[i] += (x_i_[i] - center) / o_.step;
    x_0 = x_i_[i] + o_.step * lambda_i_[i];  // x_{0,i}⁺
  }

  PerClient<Vector> x_i_;
  PerClient<Vector> lambda_i_;
};

}  // namespace driftless
