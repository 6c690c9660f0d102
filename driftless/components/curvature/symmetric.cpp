#include "driftless/components/curvature/symmetric.hpp"

#include "driftless/core/objective.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace driftless {

// A row of the triangle is a column of the upper half.
Matrix unpacked(VecIn triangle, Index dim) {
  Matrix full(dim, dim);
  for (Index row = 0; row < dim; ++row) full.col(row).head(row + 1) = triangle.segment(triangle_size(row), row + 1);
  full.triangularView<Eigen::StrictlyLower>() = full.transpose();
  return full;
}

// Entries off the diagonal count twice.
double frobenius_norm(VecIn triangle) {
  double diagonal = 0.0;
  for (Index row = 0; triangle_size(row) < triangle.size(); ++row) {
    const double entry = triangle[triangle_size(row + 1) - 1];
    diagonal += entry * entry;
  }
  return std::sqrt(std::max(0.0, 2.0 * triangle.squaredNorm() - diagonal));
}

// Where H − μI has a Cholesky factor, H is its own projection.
Vector floored_solution(const Matrix& H, double mu, const Vector& b) {
  Matrix shifted = H;
  shifted.diagonal().array() -= mu;
  if (shifted.llt().info() == Eigen::Success) return H.llt().solve(b);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  const Matrix& V = eigen.eigenvectors();
  return V * (V.transpose() * b).cwiseQuotient(eigen.eigenvalues().cwiseMax(mu));
}

}  // namespace driftless
