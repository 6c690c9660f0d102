// 5GCS. Grudzień, Malinovsky, Richtárik, "Can 5th generation local training methods support client sampling? Yes!",
// AISTATS 2023.
//
//   f = Σ F_i + (μ/2)‖·‖²,  F_i = (1/n)(f_i − (μ/2)‖·‖²);   u_i = 0, v = Σ u_i
//   for r = 0, 1, …:
//     x̂ = (x − γ v)/(1 + γμ)
//     sample c clients S
//     i ∈ S:  y_i ≈ argmin_y F_i(y) + (τ/2)‖y − (x̂ + u_i/τ)‖²,  u_i⁺ = ∇F_i(y_i);  others:  u_i⁺ = u_i
//     v⁺ = Σ u_i⁺;  x⁺ = x̂ − γ (n/c)(v⁺ − v)
//
// τ = tau, μ = mu, c = cohort, γ = gamma, 1/(τn) if 0. n times the local problem is, up to a constant,
//   f_i(y) − ⟨n u_i + μ x̂, y⟩ + (λ/2)‖y − x̂‖²  with λ = nτ − μ,
// so λ is the weight that local solvers and their stop rules see. A client receives x̂ and sends u_i⁺ − u_i.
//
// The rule was reconstructed without access to the article; it is RandProx (Condat, Richtárik, ICLR 2023) with sampled
// dual coordinates, and with γτ ≤ 1/n, exact solves and ℓ = (L − μ)/n
//   E Ψ⁺ ≤ max(1/(1 + γμ), 1 − (c/n) · 2τ/(ℓ + 2τ)) Ψ,   Ψ = (1/γ)‖x − x*‖² + (n/c)(1/τ + 2/ℓ) Σ‖u_i − ∇F_i(x*)‖²,
// which is tested in exact expectation over all cohorts. x* is fixed with u_i = ∇F_i(x*), v = −μ x*.
//
// Theory: τ = √(μ(L − μ)/(2nc)), at least μ/n so that λ ≥ 0, balances both terms: (√(nL/(cμ)) + n/c) log(1/ε) rounds.
#pragma once

#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

#include <algorithm>

namespace driftless {

struct FiveGcsOptions {
  double tau = required;
  double gamma = 0.0;
  LocalSolverOptions local = {};
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FiveGcsOptions;
    return {field("tau", &S::tau, positive, "τ, pull of the local problems; √(μ(L − μ)/(2nc)) in theory"),
            field("gamma", &S::gamma, nonnegative, "γ, step of the server; 0 = 1/(τn), the longest in theory"),
            nested(&S::local), nested(&S::sampling)};
  }
  void check() const {
    local.check();
    if (local.mu <= 0.0)
      throw ConfigError({.what = "'5gcs' moves a share (mu/2)|x|^2 of every loss to the server and needs 'mu'",
                         .seen = "mu = " + number(local.mu),
                         .advice = "give mu > 0, at most the strong convexity of every client"});
  }
};

class FiveGcs final : public MethodWith<FiveGcsOptions> {
 public:
  using MethodWith::MethodWith;

  void prepare(const Federation& fed) override { check_pull(fed.clients()); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    v_ = Vector::Zero(x.size());
    u_i_ = fed.per_client<Vector>(v_);
  }

  void round(Federation& fed, Vector& x) override {
    const double n = static_cast<double>(fed.clients());
    const double mu = o_.local.mu;
    const double gamma = o_.gamma > 0.0 ? o_.gamma : 1.0 / (o_.tau * n);
    const Vector x_hat = (x - gamma * v_) / (1.0 + gamma * mu);
    const Cohort S = fed.sample(o_.sampling.cohort);
    const double lambda = std::max(n * o_.tau - mu, 0.0);
    const LocalSolver solver = o_.local.at_round(fed.round(), lambda);
    const Vector du = fed.mean({S, S}, [&](Client& i, VecOut row) {  // u_i⁺ − u_i
      const Vector shift = n * u_i_[i] + mu * x_hat;
      Vector y = x_hat;
      i.minimize({.shift = &shift, .center = &x_hat, .lambda = lambda}, y, solver);
      i.gradient(y, row);
      row = (row - mu * y) / n - u_i_[i];  // ∇F_i(y_i) − u_i
      u_i_[i] += row;
    });
    v_ += static_cast<double>(S.size()) * du;  // v⁺ − v = Σ_S (u_i⁺ − u_i)
    x = x_hat - gamma * n * du;
  }

  Traffic round_traffic(std::size_t n) const override {
    check_pull(n);
    const std::size_t c = o_.sampling.size(n);
    return {.exchanges = 1, .up = c, .down = c};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("v", v_);
    visit.per_client("u_i", u_i_);
  }

 private:
  // λ = nτ − μ is the weight that pulls the local problems to x̂. A theory value τ = μ/n is rounded.
  void check_pull(std::size_t clients) const {
    const double pull = static_cast<double>(clients) * o_.tau;
    constexpr double rounding = 1e-12;
    if (pull < o_.local.mu * (1.0 - rounding))
      throw ConfigError(
          {.what = "'tau' times the number of clients is below 'mu': the local problems of '5gcs' would be "
                   "pushed away from the server point",
           .seen = "tau = " + number(o_.tau) + ", " + std::to_string(clients) + " clients, mu = " + number(o_.local.mu),
           .advice = "give tau >= mu/n = " + number(o_.local.mu / static_cast<double>(clients))});
  }

  Vector v_;
  PerClient<Vector> u_i_;
};

}  // namespace driftless
