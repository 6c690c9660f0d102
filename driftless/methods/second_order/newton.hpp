// Newton's method on f = (1/n) Σ f_i with whole Hessians: one exchange brings f, ∇f and ∇²f of a point.
//
//   f, g, H at x⁰
//   for k = 0, 1, …:
//     f⁺, g⁺, H⁺ at y + t p;  accepted: y ← y + t p, p = −|H⁺|⁻¹ g⁺, t = 1;  rejected: t falls
//     x = y, or y + p where quadratic convergence has set in
//
// methods/second_order/newton_iteration.hpp has the iteration with its safeguards. steps = "halley" improves p by the
// third derivative along the last step, which the last two Hessians contain: the same exchanges, mostly one less.
//
// Cost: one exchange per round and one at the start; up 1 + (d + 1)/2 vectors and a number for each client, down 1.
// Rate: quadratic near x*, for any condition number; f does not rise.
#pragma once

#include "driftless/components/curvature/dimension_limit.hpp"
#include "driftless/components/curvature/first_look.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/methods/second_order/newton_iteration.hpp"

namespace driftless {

struct NewtonOptions {
  NewtonSteps steps = NewtonSteps::newton;
  DimensionLimit limit = {};

  static Fields fields() {
    return {field("steps", &NewtonOptions::steps, anything,
                  "Newton's, or Halley's with a third derivative from the last two Hessians"),
            nested(&NewtonOptions::limit)};
  }
};

class Newton final : public MethodWith<NewtonOptions> {
 public:
  explicit Newton(const Options& o) : MethodWith(o), iteration_(o.steps) {}

  void prepare(const Federation& fed) override { o_.limit.require(fed); }

  void start(Federation& fed, Vector& x) override {
    prepare(fed);
    iteration_.begin(look(fed, x));
    clients_ = fed.everyone().size();
  }

  // For callers that have looked already, with the Hessian.
  void start_from(Federation& fed, const Vector& x, const FirstLook& look) {
    iteration_.begin({.z = x, .f = look.f, .g = look.g, .H = look.H});
    clients_ = fed.everyone().size();
  }

  void round(Federation& fed, Vector& x) override {
    if (clients_ != fed.everyone().size()) return start(fed, x);  // some were dropped: f is another function
    x = iteration_.next(look(fed, iteration_.trial()));
  }

  Traffic start_traffic(std::size_t n) const override { return round_traffic(n); }
  // The matrix counts as (d + 1)/2 vectors.
  Traffic round_traffic(std::size_t n) const override {
    return {.exchanges = 1, .up = 2 * n, .down = n, .at_least = true};
  }

  void visit_state(StateVisitor& visit) override {
    iteration_.visit_state(visit);
    visit.count("clients", clients_);
  }

 private:
  static SecondOrderPoint look(Federation& fed, const Vector& x) {
    RowMean mean = fed.mean_rows({fed.everyone(), fed.everyone()}, {.vectors = 1, .matrices = 1, .scalars = 1},
                                 {.vectors = 1}, [&](Client& i, Row& row) {
                                   row.scalars()[0] = i.value_gradient(x, row.vector());
                                   i.hessian(x, row.matrix());
                                   i.count_step();
                                 });
    return {.z = x, .f = mean.scalar(0), .g = mean.vector(), .H = unpacked(mean.matrix(), fed.dim())};
  }

  NewtonIteration iteration_;
  std::uint64_t clients_ = 0;  // whose mean f is
};

}  // namespace driftless
