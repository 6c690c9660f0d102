// One step of Newton's method on F by truncated conjugate gradients: F may belong to one client or be the mean over all
// of them, where every call is an exchange. g = ∇F(y) and F(y) are known.
//
//   d:  ‖∇²F(y) d + g‖ ≤ η ‖g‖ by conjugate gradients, preconditioned with the pairs of earlier ones
//   t = the first of 1, ½, …, 2^{−K} for which F falls;  y⁺ = y + t d, g⁺ = ∇F(y⁺)
//   η⁺ = |‖g⁺‖ − ‖g + t ∇²F(y) d‖| / ‖g‖, at least η^{3/2} where that is above 0.1 and 1e-3, at most η_max
//
// Value and gradient of a trial point are computed together, so an accepted full step costs only the gradient that the
// next step needs. η is choice 1 of Eisenstat, Walker, "Choosing the forcing terms in an inexact Newton method", SIAM
// J. Scientific Computing 1996: the direction is as exact as the last quadratic model was, so no product is spent on
// digits that the model does not have; and a step gains at most three digits, because on quadratics, where the model is
// exact, η would fall to rounding.
//
// Where the curvature is negative the search follows the last direction of descent, so F never increases.
#pragma once

#include "driftless/solvers/conjugate_gradients.hpp"
#include "driftless/solvers/workspace.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

struct NewtonRule {
  double forcing = 0.7;             // η_max, and η of the first step
  bool adaptive = true;             // false: η = η_max always
  double enough = 0.0;              // goal for ‖∇F‖: no step is solved more exactly than it requires
  std::size_t max_products = 1000;  // Hessian products of a step
  std::size_t halvings = 40;        // K
};

// Value, gradient and forcing term at y; updated with y.
struct NewtonPoint {
  double& value;    // F(y)
  Vector& g;        // ∇F(y)
  double& forcing;  // η
};

namespace detail {

inline double rounding_of(double value) { return 1e-14 * (1.0 + std::abs(value)); }

}  // namespace detail

struct ValueAndNorm {
  double value;  // of F
  double norm;   // of ∇F
};

// Whether a trial point is accepted, after a step s with slope = ⟨∇F(y), s⟩.
inline bool step_descends(const ValueAndNorm& at, const ValueAndNorm& trial, double slope) {
  const bool descends = trial.value <= at.value + 1e-4 * slope && (trial.value < at.value || trial.norm < at.norm);
  // Near the minimum differences of F are rounding: the gradient decides.
  const bool flat = std::abs(trial.value - at.value) <= detail::rounding_of(at.value) && trial.norm < at.norm;
  return descends || flat;
}

namespace detail {

// scratch[1] ← d, scratch[2] ← −g − ∇²F(y) d; or the direction of descent found before negative curvature was met.
template <class Target>
void newton_direction(Target& target, VecIn y, const NewtonPoint& at, const NewtonRule& rule, Workspace& scratch) {
  const CgVectors w{.v = scratch[1], .r = scratch[2], .u = scratch[3], .hu = scratch[4], .s = scratch[5]};
  CurvaturePairs& pairs = scratch.pairs();
  if constexpr (requires { target.diagonal(); }) pairs.make_preconditioner(target.diagonal());
  else pairs.make_preconditioner(nullptr);
  const auto product = [&](const Vector& u, Vector& hu) {
    target.hessian_vector(y, u, hu);
    pairs.add(u, hu);
  };
  const auto precondition = [&](const Vector& r, Vector& s) { pairs.solve(r, s); };
  w.r = -at.g;
  const CgReport end =
      conjugate_gradients(product, precondition, w, {rule.max_products, at.forcing, 0.5 * rule.enough});
  if (!end.convex && end.steps == 0) w.v = w.u;  // −P⁻¹ g
}

// η⁺, where the model missed ‖g⁺‖ by `miss` ‖g‖.
inline double next_forcing(double forcing, double miss, double most) {
  constexpr double least = 1e-3;
  const double before =
      forcing * std::sqrt(forcing);  // not the article's 1.62: the last bits of std::pow differ between machines
  return std::min(most, std::max(miss, before > 0.1 ? before : least));
}

}  // namespace detail

// Uses the scratch vectors 1 … 5 and the pairs. False if no step decreases F: y and the values at y are unchanged then.
template <class Target>
bool newton_step(Target& target, VecOut y, const NewtonPoint& at, const NewtonRule& rule, Workspace& scratch) {
  const double norm = at.g.norm();
  if (norm == 0.0) return false;
  detail::newton_direction(target, y, at, rule, scratch);
  const Vector& d = scratch[1];
  const Vector& r = scratch[2];
  Vector& trial = scratch[3];
  Vector& g_trial = scratch[4];
  const double slope = at.g.dot(d);
  const double rounding = detail::rounding_of(at.value);
  double t = 1.0;
  for (std::size_t k = 0; k <= rule.halvings; ++k, t *= 0.5) {
    trial = y + t * d;
    const double value = target.value_gradient(trial, g_trial);
    const double norm_trial = g_trial.norm();
    if (step_descends({at.value, norm}, {value, norm_trial}, t * slope)) {
      const double predicted = ((1.0 - t) * at.g - t * r).norm();
      if (rule.adaptive)
        at.forcing = detail::next_forcing(at.forcing, std::abs(norm_trial - predicted) / norm, rule.forcing);
      y = trial;
      at.value = value;
      at.g = g_trial;
      return true;
    }
    if (-t * slope <= rounding) return false;  // shorter steps are rounding too
  }
  return false;
}

}  // namespace driftless
