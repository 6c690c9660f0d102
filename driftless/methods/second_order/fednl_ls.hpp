// FedNL-LS, FedNL with a line search. Safaryan, Islamov, Qian, Richtárik, "FedNL: making Newton-type methods applicable
// to federated learning", ICML 2022.
//
//   as FedNL up to the step:  p = −[H]_μ⁻¹ ∇f(x)
//   x ← x + t p,  t by Armijo's rule over 1, ½, …, 2^{−K}
//
// K = halvings. One exchange of numbers tries all t at once (components/server/armijo.hpp); so f never rises.
//
// Cost: two exchanges per round: FedNL's, and one of K + 1 numbers per client. Rate: from any start linear, near x*
// superlinear and free of the condition number.
#pragma once

#include "driftless/components/curvature/learned_hessian.hpp"
#include "driftless/components/server/armijo.hpp"
#include "driftless/methods/method.hpp"

namespace driftless {

struct FedNlLsOptions {
  LearnedHessianOptions hessian = {};
  ArmijoOptions line_search = {};

  static Fields fields() {
    using S = FedNlLsOptions;
    return {nested(&S::hessian), nested(&S::line_search)};
  }
};

class FedNlLs final : public MethodWith<FedNlLsOptions> {
 public:
  explicit FedNlLs(const Options& o) : MethodWith(o), H_(o.hessian) {}

  void prepare(const Federation& fed) override { H_.prepare(fed); }
  void start(Federation& fed, Vector&) override { H_.start(fed); }

  void round(Federation& fed, Vector& x) override {
    const auto [g, f, l, known] = learn_at(fed, H_, x);
    const Vector p = -H_.solve(0.0, known, g);
    x += armijo_step(fed, o_.line_search, {x, f, g}, p);
  }

  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1 + o_.line_search.exchanges(), .up = 2 * n, .down = n, .at_least = true};
  }
  void visit_state(StateVisitor& visit) override { H_.visit_state(visit); }

 private:
  LearnedHessian H_;
};

}  // namespace driftless
