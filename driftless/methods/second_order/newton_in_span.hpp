// Newton's method in the span of the data: for linear models with fewer rows than variables, where ∇²f_i(x) = σ_i I +
// G_i(x) and the range of G = (1/n) Σ G_i, of dimension at most R, is that of the rows at every x. A basis of this span
// costs R vectors once, and then R×R matrices do what d×d matrices would.
//
//   f, ∇f at x⁰, and R = Σ rank G_i, at most d;  Y = G(x⁰) Ω, Ω random and known to all without a message
//   V = orthonormal basis of (Y, x⁰, ∇f(x⁰));  V'∇²f(x⁰) V = σ I + V'Y (V'Ω)⁺
//   for k = 0, 1, …:
//     f, ∇f and V'∇²f V at y = V z from the clients;  the iteration of Newton's method in z
//     (methods/second_order/newton_iteration.hpp);  x = V z
//
// Ω has R + 4 columns, so that Y spans the range of G: Halko, Martinsson, Tropp, "Finding structure with randomness",
// SIAM Review 2011. As G = V V'G V V', its products with Ω determine it. Where a gradient leaves the span, by rounding
// or because the range changes with x after all, its part outside becomes a further column of V and the iteration
// begins again from there: so x* is the limit in any case. Clients that do not know a rank count with d.
//
// Cost: 2 exchanges at the start with 1 and R + 4 vectors up, then one per round with 1 + R²/(2d) vectors up and R + 1
// passes of each client. Rate: that of `newton`.
#pragma once

#include "driftless/components/curvature/first_look.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/second_order/newton_iteration.hpp"

namespace driftless {

struct NewtonInSpanOptions {
  NewtonSteps steps = NewtonSteps::halley;
  std::size_t max_rank = 512;

  static Fields fields() {
    using S = NewtonInSpanOptions;
    return {
        field("steps", &S::steps, anything, "Newton's, or Halley's with a third derivative from the last two Hessians"),
        field("max_rank", &S::max_rank, at_least_one, "most dimensions of the span; more are an error")};
  }
};

class NewtonInSpan final : public MethodWith<NewtonInSpanOptions> {
 public:
  explicit NewtonInSpan(const Options& o) : MethodWith(o), iteration_(o.steps) {}

  void start(Federation& fed, Vector& x) override { start_from(fed, x, first_look(fed, x)); }

  // For callers that have looked already. ConfigError where the span would be larger than max_rank.
  void start_from(Federation& fed, const Vector& x, const FirstLook& look);
  void round(Federation& fed, Vector& x) override;

  Traffic start_traffic(std::size_t n) const override { return {.exchanges = 2, .up = 6 * n, .down = n}; }
  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = 2 * n, .down = n, .at_least = true};
  }

  void visit_state(StateVisitor& visit) override;

 private:
  SecondOrderPoint look(Federation& fed, const Vector& z);
  void begin_at(Federation& fed, const Vector& x);

  NewtonIteration iteration_;
  Matrix V_;
  Vector outside_;             // part of the last gradient outside the span where it is large; empty: none
  Vector columns_;             // of V, as they are saved
  std::uint64_t clients_ = 0;  // whose mean f is
};

}  // namespace driftless
