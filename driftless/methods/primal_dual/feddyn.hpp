// FedDyn. Acar, Zhao, Matas Navarro, Mattina, Whatmough, Saligrama, "Federated learning based on dynamic
// regularization", ICLR 2021.
//
//   θ = x⁰, h = 0, g_i = 0
//   for r = 0, 1, …:
//     sample s clients S
//     i ∈ S:  θ_i ≈ argmin_y f_i(y) − ⟨g_i, y⟩ + (α/2)‖y − θ‖²;   g_i ← g_i − α (θ_i − θ)
//     h ← h − (α/n) Σ_S (θ_i − θ)
//     θ ← (1/s) Σ_S θ_i − h/α
//
// α = alpha, θ = theta_, h = h_, θ_i = theta_i_, g_i = g_i_. x, the point that is measured, is the mean (1/s) Σ_S θ_i
// of the client models, which the authors' code evaluates; θ is state. Departure: that code scales α by the inverse
// weight of the client, here every client has the same α.
//
// With exact solves g_i = ∇f_i(θ_i), and with all clients in every round h = (1/n) Σ g_i and x is the iterate of DANE+
// with the drift control variate and m = λ = α.
//
// Rate: Table 1 of the DANE+ paper gives (L/μ) log(1/ε), L R_0²/ε and L F_0/ε for α of order L, which was not compared
// with the article. With all clients, exact solves and α = √(μL), the equality with DANE+ gives √(L/μ) log(1/ε), which
// is tested.
#pragma once

#include "driftless/components/server/sampling.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

struct FedDynOptions {
  double alpha = required;
  LocalSolverOptions local = {};
  SamplingOptions sampling = {};

  static Fields fields() {
    using S = FedDynOptions;
    return {field("alpha", &S::alpha, positive, "α, pull towards the server model; √(μL) in theory"), nested(&S::local),
            nested(&S::sampling)};
  }
  void check() const { local.check(); }
};

class FedDyn final : public MethodWith<FedDynOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    theta_ = x;
    h_ = Vector::Zero(x.size());
    theta_i_ = fed.per_client<Vector>(x);
    g_i_ = fed.per_client<Vector>(h_);
  }

  void round(Federation& fed, Vector& x) override {
    const Cohort S = fed.sample(o_.sampling.cohort);
    const LocalSolver solver = o_.local.at_round(fed.round(), o_.alpha);
    fed.for_each_client(S, [&](Client& i) {
      theta_i_[i] = theta_;
      i.minimize({.shift = &g_i_[i], .center = &theta_, .lambda = o_.alpha}, theta_i_[i], solver);
      g_i_[i] -= o_.alpha * (theta_i_[i] - theta_);
    });
    x = fed.mean({S, S}, theta_i_);
    const double share = static_cast<double>(S.size()) / static_cast<double>(fed.clients());  // s/n
    h_ -= o_.alpha * share * (x - theta_);
    theta_ = x - h_ / o_.alpha;
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t s = o_.sampling.size(n);
    return {.exchanges = 1, .up = s, .down = s};
  }
  void visit_state(StateVisitor& visit) override {
    visit.vector("theta", theta_);
    visit.vector("h", h_);
    visit.per_client("theta_i", theta_i_);
    visit.per_client("g_i", g_i_);
  }

 private:
  Vector theta_;
  Vector h_;
  PerClient<Vector> theta_i_;
  PerClient<Vector> g_i_;
};

}  // namespace driftless
