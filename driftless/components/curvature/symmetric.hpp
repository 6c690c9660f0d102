// Symmetric matrices as clients send them: the packed lower triangle, row after row (core/objective.hpp).
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

Matrix unpacked(VecIn triangle, Index dim);  // both triangles are filled
double frobenius_norm(VecIn triangle);       // of the whole matrix

// [H]_μ⁻¹ b, where the eigenvalues of H below μ are raised to μ > 0.
Vector floored_solution(const Matrix& H, double mu, const Vector& b);

}  // namespace driftless
