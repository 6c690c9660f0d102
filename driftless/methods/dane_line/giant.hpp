// GIANT. Wang, Roosta-Khorasani, Xu, Mahoney, "GIANT: Globally improved approximate Newton method for distributed
// optimization", NeurIPS 2018.
//
//   for r = 0, 1, …:
//     g = ∇f(x)
//     p_i = (∇²f_i(x))⁻¹ g by conjugate gradients;  p = −(1/n) Σ p_i
//     x ← x + t p,  t by Armijo's rule over 1, ½, …, 2^{−K}
//
// K = halvings; f(x) is sent with ∇f. Exchanges: ∇f, p and the values of the line search, which halvings = 0 omits. p
// is a descent direction wherever all ∇²f_i are positive definite. Where none of these t descends, armijo.hpp tries
// smaller ones and then −∇f(x), with more exchanges of values.
//
// Rate: near x* linear with ‖I − (1/n) Σ H_i⁻¹ H‖, for every condition number; quadratic where the Hessians agree.
#pragma once

#include "driftless/components/server/armijo.hpp"
#include "driftless/components/server/hessian_solve.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct GiantOptions {
  HessianSolveOptions local = {};
  ArmijoOptions line_search = {};

  static Fields fields() {
    using S = GiantOptions;
    return {nested(&S::local), nested(&S::line_search)};
  }
};

class Giant final : public MethodWith<GiantOptions> {
 public:
  using MethodWith::MethodWith;

  void start(Federation&, Vector&) override {}

  void round(Federation& fed, Vector& x) override {
    const Parties all{fed.everyone(), fed.everyone()};
    const VectorAndScalars at_x = fed.mean_with_scalars(
        all, 1, [&](Client& i, VecOut row, VecOut value) { value[0] = i.value_gradient(x, row); });
    const Vector& g = at_x.vector;
    const Vector p = -fed.mean([&](Client& i, VecOut p_i) { solve_hessian(i, x, g, 0.0, p_i, o_.local); });
    x += armijo_step(fed, o_.line_search, {x, at_x.scalars[0], g}, p);
  }

  Traffic round_traffic(std::size_t n) const override {
    const ArmijoOptions& search = o_.line_search;
    return {.exchanges = 2 + search.exchanges(), .up = 2 * n, .down = 2 * n, .at_least = search.may_need_more()};
  }
};

}  // namespace driftless
