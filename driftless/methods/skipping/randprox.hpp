// RandProx for consensus. Condat, Richtárik, "RandProx: primal-dual optimization algorithms with randomized proximal
// updates", ICLR 2023. For min_x f(x) + h(Kx), with R unbiased, E R(r) = r, E‖R(r) − r‖² ≤ ω‖r‖²:
//
//   x̂ = x − γ ∇f(x) − γ K*u
//   d = R(prox_{τh*}(u + τ K x̂) − u)
//   u ← u + d/(1 + ω),   x ← x̂ − γ K*d
//
// Here x = (x_1, …, x_n), f(x) = Σ f_i(x_i), K = 1 and h is zero where all x_i agree, infinite elsewhere. prox_{τh*}
// projects onto Σ u_i = 0, so d_i = R(τ(x̂_i − x̄)), x̄ = (1/n) Σ x̂_i, while Σ u_i = 0; γτ = 1/(1 + ω) is the largest
// allowed.
//
// Which R: client i needs R(x̂_i − x̄), so x̂_i may be coded before x̄ is known only if R is linear and the same for all,
// R(x̂_i − x̄) = R x̂_i − mean R x̂_j; then Σ d_i = 0 too, which keeps Σ u_i = 0. A natural or qsgd code is not linear and
// codes drawn by each client alone differ: with them everyone would have to send x̂_i in full first. Linear and shared
// are the coin, R(r) = r/p or 0, and rand-k with shared indices. R is their product, with
//   1 + ω = d/(p K),  K = keep · d
// and a round is everything up to and including a true coin θ, at which K entries k, the same for all, are averaged:
//
//   x_i ← x_i − γ (∇f_i(x_i) + u_i)   until θ is true
//   k kept:  x̄_k = (1/n) Σ x_{i,k},  u_{i,k} ← u_{i,k} + τ (x_{i,k} − x̄_k),  x_{i,k} ← x̄_k
//
// γ = step, u_i = −h_i_. x holds the last mean of each entry. keep = 1 is Scaffnew. Bytes up and down: 8 K for each
// client; the indices are shared chance.
//
// The rule was reconstructed without access to the article; it is x ← x̂ − γ K*d and not − γ K*(u⁺ − u), as only the
// former is Scaffnew. Check: the potential, in exact expectation over coin and indices from arbitrary states.
//
// Theory: γ = 1/L, E V⁺ ≤ max((1 − γμ)², 1 − 1/(1 + ω)²) V for V = Σ‖x_i − x*‖² + γ²(1 + ω)² Σ‖u_i + ∇f_i(x*)‖². With
// 1 + ω = √(L/μ) as many entries are sent as by Scaffnew, √(L/μ) d log(1/ε), for every such p and K.
#pragma once

#include "driftless/components/compression/compressor.hpp"
#include "driftless/components/server/local_steps.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct RandProxOptions {
  double step = required;
  double p = required;
  double keep = 1.0;
  std::size_t batch = 0;

  static Fields fields() {
    using S = RandProxOptions;
    return {
        field("step", &S::step, positive, "γ, size of a local step; 1/L is safe"),
        field("p", &S::p, probability, "chance that an iteration communicates; √(μ/L)/keep in theory"),
        field("keep", &S::keep, probability, "K/d, share of the entries that a communication carries; 1 = scaffnew"),
        field("batch", &S::batch, nonnegative, "samples per local step; 0 = all")};
  }
};

class RandProx final : public MethodWith<RandProxOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation& fed, Vector& x) override {
    x_i_ = fed.per_client<Vector>(x);
    h_i_ = fed.per_client<Vector>(Vector::Zero(x.size()));
  }

  void round(Federation& fed, Vector& x) override {
    const LocalStepOptions local{.step = o_.step, .batch = o_.batch};
    const LocalSolver solver = local.solver(fed.geometric(o_.p));  // iterations until θ is true
    fed.for_each_client([&](Client& i) { i.minimize({.shift = &h_i_[i]}, x_i_[i], solver); });
    const std::vector<std::size_t> kept = shared_indices(fed);
    const std::uint64_t bytes = fed.clients() * sizeof(double) * kept.size();
    const Parties parties{.from = fed.everyone(), .to = fed.everyone(), .bytes_up = bytes, .bytes_down = bytes};
    const Vector mean = fed.mean(parties, [&](Client& i, VecOut row) {  // R x̂_i, unscaled
      row.setZero();
      for (const std::size_t k : kept) row[static_cast<Index>(k)] = x_i_[i][static_cast<Index>(k)];
    });
    for (const std::size_t k : kept) x[static_cast<Index>(k)] = mean[static_cast<Index>(k)];
    fed.for_each_client([&](Client& i) { meet(i, x, kept); });
  }

  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  void visit_state(StateVisitor& visit) override {
    visit.per_client("x_i", x_i_);
    visit.per_client("h_i", h_i_);
  }

 private:
  std::vector<std::size_t> shared_indices(Federation& fed) const {
    std::vector<std::size_t> indices = fed.order(static_cast<std::size_t>(fed.dim()));
    indices.resize(static_cast<std::size_t>(kept_entries(o_.keep, fed.dim())));
    return indices;
  }

  // −u_{i,k} ← −u_{i,k} + τ (x̄_k − x̂_{i,k}),  x_{i,k} ← x̄_k
  void meet(const Client& i, const Vector& x, const std::vector<std::size_t>& kept) {
    const double share = static_cast<double>(kept.size()) / static_cast<double>(x.size());
    const double tau = o_.p * share / o_.step;  // 1/(γ(1 + ω))
    for (const std::size_t index : kept) {
      const Index k = static_cast<Index>(index);
      h_i_[i][k] += tau * (x[k] - x_i_[i][k]);
      x_i_[i][k] = x[k];
    }
  }

  PerClient<Vector> x_i_, h_i_;
};

}  // namespace driftless
