// The direction of Newton's method with the whole Hessian H of f and its gradient g, for functions of any curvature and
// variables of any scale:
//
//   p = −H⁻¹ g           where H is positive definite
//   p = −(H + τ D²)⁻¹ g  where it is singular up to rounding, with τ of the size of that rounding
//   p = −|H|⁻¹ g         where it has negative eigenvalues: descent along directions of negative curvature too
//
// All three work on D⁻¹ H D⁻¹ with D² = |diag H|, so that the scale of a variable (a column in other units) changes
// neither the choice nor the rounding. |H| = D V |Λ| V' D for the eigenvalues Λ of the scaled matrix, those near zero
// raised to a small part of the largest; there D² has a floor, or the variables at their inflection points would
// decide.
#pragma once

#include "driftless/core/vector.hpp"

#include <optional>

namespace driftless {

struct NewtonDirection {
  Vector p;
  double slope = 0.0;      // ⟨g, p⟩ ≤ 0; −⟨g, p⟩ is the squared Newton decrement where H is positive definite
  double curvature = 0.0;  // ⟨p, H p⟩
};

NewtonDirection newton_direction(const Matrix& H, const Vector& g);
// The same, but none where it would be −|H|⁻¹ g, whose eigenvectors cost as much as dozens of factorisations.
std::optional<NewtonDirection> convex_newton_direction(const Matrix& H, const Vector& g);

}  // namespace driftless
