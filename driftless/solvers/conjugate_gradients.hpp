// Preconditioned conjugate gradients for H v = b, given products with H and solves with P. The caller computes the
// products, so H may belong to one client or be a mean over all of them.
//
//   v = 0, r = b, s = P⁻¹ r, u = s
//   until ‖r‖ ≤ tolerance ‖b‖ or ‖r‖ ≤ enough:
//     α = ⟨r, s⟩/⟨u, H u⟩;  v ← v + α u;  r ← r − α H u;  s = P⁻¹ r;  u ← s + (⟨r, s⟩ new / old) u
#pragma once

#include "driftless/core/vector.hpp"

#include <algorithm>

namespace driftless {

struct CgRule {
  std::size_t max_steps = 1000;
  double tolerance = 1e-10;
  double enough = 0.0;
};

// r holds b at first and the residual at the end; v the solution, u the last direction.
struct CgVectors {
  Vector& v;
  Vector& r;
  Vector& u;
  Vector& hu;
  Vector& s;
};

struct CgReport {
  std::size_t steps = 0;  // products that were used
  bool convex = true;     // false: stopped at a direction u without positive curvature
};

inline constexpr auto no_preconditioner = [](const Vector& r, Vector& s) { s = r; };

// product(u, Hu) and precondition(r, s) overwrite their second argument.
template <class Product, class Precondition>
CgReport conjugate_gradients(Product&& product, Precondition&& precondition, const CgVectors& w, const CgRule& rule) {
  const double enough = std::max(rule.tolerance * rule.tolerance * w.r.squaredNorm(), rule.enough * rule.enough);
  w.v.setZero(w.r.size());
  double rs = 0.0;
  std::size_t j = 0;
  for (; j < rule.max_steps && w.r.squaredNorm() > enough; ++j) {
    precondition(w.r, w.s);
    const double rs_new = w.r.dot(w.s);
    if (j == 0) w.u = w.s;
    else w.u = w.s + (rs_new / rs) * w.u;
    rs = rs_new;
    product(w.u, w.hu);
    const double curvature = w.u.dot(w.hu);
    if (!(curvature > 0.0)) return {j, false};
    const double alpha = rs / curvature;
    w.v += alpha * w.u;
    w.r -= alpha * w.hu;
  }
  return {j, true};
}

}  // namespace driftless
