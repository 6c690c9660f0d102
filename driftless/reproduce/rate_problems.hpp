// The problems on which rates are measured: quadratics with exactly the constants asked for, on which the bounds of
// each class of functions are attained, so that an exponent can be wrong.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/reproduce/rate_claims.hpp"

namespace driftless {

// Strongly convex: recipe R2.
//
// General convex: recipe R2 with curvatures L/100 · 2^−1, …, 2^−20 and a start about as far from the optimum along each
// of them. Then f(x_k) − f* ≈ c/k for methods that contract a curvature a by exp(−a k/c), which is the bound's power of
// ε; a single curvature would give a linear rate.
//
// Non-convex: curvatures L, L/2, …, L 2^−20 of f and a start with the same energy a_j (x_j − x*_j)²/2 along each. Then
// ‖∇f(x_k)‖² ≈ c/k. The clients deviate by up to ±δ on all but the first; those that deviate downwards have curvatures
// down to about −δ and are not convex, while f is. The optimum is not told, so progress is measured by the gradient.
Problem rate_problem(RateColumn column, const RateSetting& setting);

}  // namespace driftless
