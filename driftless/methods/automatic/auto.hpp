// The method that needs no choice and no parameter. It looks at the problem, chooses the method without parameters that
// needs least of what is to be saved, and continues as that one.
//
//   first exchange:  f(x⁰), ∇f(x⁰), and what the clients know of their Hessians: whether they offer products with them,
//                    whether these jump, and the dimension R of the span of their data; with ∇²f(x⁰) where whole
//                    Hessians will be sent
//   without products with Hessians, second exchange:  ∇f near x⁰, and ρ = L̂/δ̂, how alike the clients are
//   chosen:          the least estimate of methods/automatic/auto_plan.hpp
//                    newton with Halley's steps    d×d matrices are small
//                    newton-in-span                fewer rows than variables
//                    newton-cg                     vectors alone; with five products in an exchange where those count
//                    acc-s-dane, l-bfgs            no products with Hessians; alike clients, others
//                    l-bfgs                        Hessians that jump, such as those of Huber's loss and of quantiles
//
// Every method of the list finds its steps by itself and ends at x*, so a wrong choice costs exchanges and not
// convergence. The first exchange is that of the chosen method: looking costs nothing but a few numbers.
#pragma once

#include "driftless/methods/automatic/auto_plan.hpp"
#include "driftless/methods/dane_line/distributed_newton.hpp"
#include "driftless/methods/second_order/lbfgs.hpp"
#include "driftless/methods/second_order/newton.hpp"
#include "driftless/methods/second_order/newton_in_span.hpp"
#include "driftless/methods/stabilized/s_dane.hpp"

namespace driftless {

class Auto final : public MethodWith<AutoOptions> {
 public:
  explicit Auto(const AutoOptions& o);

  void prepare(const Federation& fed) override;
  void start(Federation& fed, Vector& x) override;
  void round(Federation& fed, Vector& x) override { chosen_method().round(fed, x); }

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override { return {.exchanges = 1, .up = n, .down = n, .at_least = true}; }

  void visit_state(StateVisitor& visit) override;
  std::optional<MethodDecision> decision() const override;

 private:
  // What all clients have beside gradients.
  enum class Offer { gradients, hessians, jumping_hessians };

  AutoChoice chosen() const { return static_cast<AutoChoice>(chosen_); }
  Offer offered() const { return static_cast<Offer>(offered_); }
  void choose();
  LookAlso what_to_look_at() const;
  void start_chosen(Federation& fed, Vector& x, const FirstLook& look);
  AutoFacts facts() const;
  Method& chosen_method();

  Newton newton_;
  NewtonInSpan in_span_;
  DistributedNewton merged_newton_cg_;
  DistributedNewton newton_cg_;
  Lbfgs lbfgs_;
  SDane acc_s_dane_;
  Index dim_ = 0;
  std::uint64_t chosen_ = 0;  // AutoChoice
  std::uint64_t clients_ = 0;
  std::uint64_t offered_ = 0;  // Offer
  double rank_ = -1.0;         // R; −1: not known
  double similarity_ = -1.0;   // ρ; −1: not measured
};

}  // namespace driftless
