// When a local solver stops, and for which reason.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/vector.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

namespace driftless {

struct StopRule {
  enum class Kind {
    steps,         // exactly max_steps steps
    relative,      // first y_k, k ≥ 1, with ‖∇F(y_k)‖ ≤ tolerance · ‖y_k − c‖
    min_gradient,  // max_steps steps, then the y_k, k ≥ 1, of least ‖∇F‖ (the first on ties)
    absolute,      // first y_k, k ≥ 0, with ‖∇F(y_k)‖ ≤ tolerance
  };
  Kind kind = Kind::steps;
  std::size_t max_steps = 1;  // K, or the most steps the other rules may take
  double tolerance = 0.0;
  // relative, absolute: also stop where rounding dominates, at ‖∇F(y_k)‖ ≤ floor · ‖∇F(y_0)‖ or when a step no longer
  // changes y.
  double floor = 1e-14;

  bool needs_gradient() const { return kind != Kind::steps; }
};

enum class SolveEnd {
  none,
  steps_done,
  relative_met,
  absolute_met,
  least_gradient,
  at_floor,
  step_limit,
  stationary,
  closed_form,
  stalled
};

template <>
struct EnumNames<SolveEnd> {
  static constexpr std::array<std::string_view, 10> value{
      "none",           "steps done", "relative rule met", "tolerance met", "least gradient",
      "rounding floor", "step limit", "stationary start",  "closed form",   "stalled"};
};

// What a local solve did. `gradients` counts every pass over the client's data: gradient, batch gradient, Hessian
// product or line-search value.
struct SolveReport {
  std::size_t steps = 0;
  std::size_t gradients = 0;
  SolveEnd end = SolveEnd::none;
};

// Applies the rule during a solve, for solvers that know ∇F(y_k). `best` is scratch for the rule that returns an
// earlier iterate.
class StopCheck {
 public:
  StopCheck(const StopRule& rule, const Vector* center, Vector& best) : rule_(rule), center_(center), best_(best) {}

  // Before any step, with ∇F(y_0). At a stationary start no step is taken: the returned point is the start.
  SolveEnd at_start(VecIn gradient) {
    if (rule_.max_steps == 0) return SolveEnd::step_limit;
    if (!rule_.needs_gradient()) return SolveEnd::none;
    start_norm_ = gradient.norm();
    if (start_norm_ == 0.0) return SolveEnd::stationary;
    if (rule_.kind == StopRule::Kind::absolute && start_norm_ <= rule_.tolerance) return SolveEnd::absolute_met;
    return SolveEnd::none;
  }

  // After step k ≥ 1, with ∇F(y_k); the next step has length `step` · ‖∇F(y_k)‖. Puts the iterate to return into y at
  // the end.
  SolveEnd after(std::size_t k, VecIn gradient, double step, VecOut y) {
    using Kind = StopRule::Kind;
    if (!rule_.needs_gradient()) return k < rule_.max_steps ? SolveEnd::none : SolveEnd::steps_done;
    const double norm = gradient.norm();
    if (rule_.kind == Kind::min_gradient) return keep_least(k, norm, y);
    if (rule_.kind == Kind::relative && norm <= rule_.tolerance * distance(y)) return SolveEnd::relative_met;
    if (rule_.kind == Kind::absolute && norm <= rule_.tolerance) return SolveEnd::absolute_met;
    if (norm <= rule_.floor * start_norm_ || step * norm <= 1e-15 * y.norm()) return SolveEnd::at_floor;
    return k < rule_.max_steps ? SolveEnd::none : SolveEnd::step_limit;
  }

 private:
  double distance(VecIn y) const { return center_ != nullptr ? (y - *center_).norm() : 0.0; }

  SolveEnd keep_least(std::size_t k, double norm, VecOut y) {
    if (norm < least_) {
      least_ = norm;
      best_ = y;
    }
    if (k < rule_.max_steps) return SolveEnd::none;
    y = best_;
    return SolveEnd::least_gradient;
  }

  const StopRule& rule_;
  const Vector* center_;
  Vector& best_;
  double start_norm_ = 0.0;
  double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace driftless
