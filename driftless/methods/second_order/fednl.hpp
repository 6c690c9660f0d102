// FedNL. Safaryan, Islamov, Qian, Richtárik, "FedNL: making Newton-type methods applicable to federated learning", ICML
// 2022.
//
//   H_i = ∇²f_i(x⁰) or 0
//   for k = 0, 1, …:
//     S_i = C(∇²f_i(x) − H_i),  H_i ← H_i + α S_i,  l_i = ‖∇²f_i(x) − H_i‖_F
//     H ← H + α mean S_i,  l = mean l_i
//     projection  x ← x − [H]_μ⁻¹ ∇f(x)
//     shift       x ← x − (H + l I)⁻¹ ∇f(x)
//
// C, α, H_i and H are in components/curvature/learned_hessian.hpp. Where mu is not given, μ is not below l either: then
// ∇²f ≼ H + l I ≼ 2 [H]_μ, so that steps are not too long while H is still being learned. The paper steps with the H
// from before the update; here the step uses all that the server has received, so that without compression it is
// Newton's method.
//
// Cost: one exchange per round: up ∇f_i, S_i and three numbers, down x. Rate: local, superlinear, free of the condition
// number. Nothing guards a step where ∇²f changes much along it; fednl-ls searches.
#pragma once

#include "driftless/components/curvature/learned_hessian.hpp"
#include "driftless/methods/method.hpp"

#include <algorithm>

namespace driftless {

enum class FedNlUpdate { projection, shift };
template <>
struct EnumNames<FedNlUpdate> {
  static constexpr std::array<std::string_view, 2> value{"projection", "shift"};
};

struct FedNlOptions {
  LearnedHessianOptions hessian = {};
  FedNlUpdate update = FedNlUpdate::projection;

  static Fields fields() {
    using S = FedNlOptions;
    return {nested(&S::hessian),
            field("update", &S::update, anything, "what makes H positive definite: [H]_μ, or H + l I")};
  }
};

class FedNl final : public MethodWith<FedNlOptions> {
 public:
  explicit FedNl(const Options& o) : MethodWith(o), H_(o.hessian) {}

  void prepare(const Federation& fed) override { H_.prepare(fed); }
  void start(Federation& fed, Vector&) override { H_.start(fed); }

  void round(Federation& fed, Vector& x) override {
    const auto [g, f, l, known] = learn_at(fed, H_, x);
    const bool shift = o_.update == FedNlUpdate::shift;
    x -= H_.solve(shift ? l : 0.0, shift ? known : std::max(known, 2.0 * l), g);
  }

  // The matrix counts as (d + 1)/2 vectors.
  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = 2 * n, .down = n, .at_least = true};
  }
  void visit_state(StateVisitor& visit) override { H_.visit_state(visit); }

 private:
  LearnedHessian H_;
};

}  // namespace driftless
