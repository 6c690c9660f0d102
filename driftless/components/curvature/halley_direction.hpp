// Halley's direction with a third derivative that costs nothing: it comes from the Hessians and gradients of the last
// two points z' and z.
//
//   s = z − z';  ∇³f[s] ≈ D = ρ (H − H'),  with ρ so that ⟨s, D s⟩ is the third derivative of f along s at z as the
//   Hermite interpolation of the gradient has it:  ρ = (6 ⟨s, g' − g + H s⟩ − 2 ⟨s, (H − H') s⟩) / ⟨s, (H − H') s⟩
//   p = −(H + ½ a D)⁻¹ g,   a = ⟨d, H s⟩/⟨s, H s⟩ in [−1, 1],  d = −H⁻¹ g
//
// Newton's steps follow each other in similar directions, so the third derivative along the next step is nearly that
// along the last one: a is the share of the step in it. ρ matters: the curvature of a logistic loss decays like an
// exponential along a step, and a plain difference of Hessians is too large there by a factor of two.
//
// Where H + ½ a D is not positive definite, a half or a quarter of the correction is tried. Newton's direction is
// returned where that is not either, where ρ is not in (0, 2], where f is not convex along s, and where p would change
// the step by more than 7/10 of its length in the norm of H.
#pragma once

#include "driftless/components/curvature/newton_direction.hpp"
#include "driftless/components/curvature/second_order_point.hpp"

namespace driftless {

NewtonDirection halley_direction(const SecondOrderPoint& before, const SecondOrderPoint& at);

}  // namespace driftless
