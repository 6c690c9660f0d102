// DISCO. Zhang, Xiao, "DiSCO: Distributed optimization for self-concordant empirical loss", ICML 2015: inexact Newton
// steps by conjugate gradients over the federation, preconditioned with the Hessian of the delegate.
//
//   for k = 0, 1, …:
//     g = ∇f(x);  v ≈ (∇²f(x))⁻¹ g by PCG with P = ∇²f_1(x) + μ_p I, until ‖r‖ ≤ ε ‖g‖
//       each step: u from the server, ∇²f_i(x) u from the clients;  s = P⁻¹ r at the server
//     damped:       x ← x − v/(1 + δ),  δ = √⟨v, ∇²f(x) v⟩
//     line-search:  x ← x − t v,  t by Armijo's rule
//
// μ_p = lambda, ε = pcg_tolerance, f_1 is the loss of `delegate`. PCG keeps ⟨v, Hv⟩ = ⟨v, g − r⟩. P⁻¹ r is found by
// local conjugate gradients. Exchanges: ∇f, one for each PCG step, one for the line search; the data decide how many.
//
// Departure: 1/(1 + δ) assumes that f is scaled to standard self-concordance and gives very short steps on other
// problems, so the line search is the default. The preconditioner was reconstructed without access to the paper.
// Checks: with P = ∇²f PCG ends after one step, and elsewhere within the bound of CG theory for the condition number 1
// + 2μ_p/μ. Theory: μ_p = Δ_1, ε = √(μ/L)/20; √(Δ_1/μ) exchanges up to logarithms.
#pragma once

#include "driftless/components/server/armijo.hpp"
#include "driftless/components/server/delegate.hpp"
#include "driftless/components/server/hessian_solve.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

enum class DiscoStep { line_search, damped };
template <>
struct EnumNames<DiscoStep> {
  static constexpr std::array<std::string_view, 2> value{"line-search", "damped"};
};

struct DiscoOptions {
  double lambda = required;
  double pcg_tolerance = 0.005;
  std::size_t pcg_steps = 1000;
  DiscoStep step = DiscoStep::line_search;
  ArmijoOptions line_search = {};
  HessianSolveOptions local = {};
  DelegateOptions at_server = {};

  static Fields fields() {
    using S = DiscoOptions;
    return {field("lambda", &S::lambda, nonnegative, "μ_p, added to the delegate's Hessian; Δ_1 in theory"),
            field("pcg_tolerance", &S::pcg_tolerance, positive, "ε, residual of PCG relative to ∇f; √(μ/L)/20"),
            field("pcg_steps", &S::pcg_steps, at_least_one, "most PCG steps per round"),
            field("step", &S::step, anything, "length of the Newton step"),
            nested(&S::line_search),
            nested(&S::local),
            nested(&S::at_server)};
  }
};

class Disco final : public MethodWith<DiscoOptions> {
 public:
  explicit Disco(const Options& o) : MethodWith(o), delegate_(o.at_server) {}

  void prepare(const Federation& fed) override { delegate_.prepare(fed); }

  void start(Federation& fed, Vector&) override { prepare(fed); }

  void round(Federation& fed, Vector& x) override {
    const Parties all{fed.everyone(), fed.everyone()};
    const VectorAndScalars at_x = fed.mean_with_scalars(
        all, 1, [&](Client& i, VecOut row, VecOut value) { value[0] = i.value_gradient(x, row); });
    const Vector& g = at_x.vector;
    Vector r = g;
    const Vector v = newton_direction(fed, x, r);
    if (damped()) x -= 1.0 / (1.0 + std::sqrt(std::max(0.0, v.dot(g - r)))) * v;
    else x += armijo_step(fed, o_.line_search, {x, at_x.scalars[0], g}, -v);
  }

  Traffic round_traffic(std::size_t n) const override {
    const std::size_t search = damped() ? 0 : o_.line_search.exchanges();
    return {.exchanges = 2 + search, .up = 2 * n, .down = 2 * n, .at_least = true};
  }

 private:
  bool damped() const { return o_.step == DiscoStep::damped; }

  // v ≈ (∇²f(x))⁻¹ r; leaves the residual in r.
  Vector newton_direction(Federation& fed, const Vector& x, Vector& r) {
    Vector v(r.size()), u(r.size()), hu(r.size()), s(r.size());
    const auto product = [&](const Vector& direction, Vector& result) {
      result =
          fed.mean({fed.everyone(), fed.nobody()}, [&](Client& i, VecOut row) { i.hessian_vector(x, direction, row); });
    };
    const auto precondition = [&](const Vector& residual, Vector& result) {
      result = delegate_.publish(
          fed, [&](Client& i, VecOut row) { solve_hessian(i, x, residual, o_.lambda, row, o_.local); });
    };
    conjugate_gradients(product, precondition, {v, r, u, hu, s}, {o_.pcg_steps, o_.pcg_tolerance});
    return v;
  }

  Delegate delegate_;
};

}  // namespace driftless
