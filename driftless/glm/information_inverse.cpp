#include "driftless/glm/information_inverse.hpp"

#include "driftless/core/check.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace driftless {
namespace {

// The part of a variable that the others do not explain. Below this, rounding of the sums over the rows decides.
constexpr double least_independent_part = 1e-11;

}  // namespace

InformationInverse::InformationInverse(const Matrix& information) {
  const Vector diagonal = information.diagonal();
  scale_ = diagonal.unaryExpr([](double d) { return d > 0.0 ? 1.0 / std::sqrt(d) : 1.0; });
  const Matrix correlations = scale_.asDiagonal() * information * scale_.asDiagonal();
  const Eigen::LLT<Matrix> factor(correlations);
  const bool regular = factor.info() == Eigen::Success &&
                       factor.matrixLLT().diagonal().array().square().minCoeff() > least_independent_part;
  missing_.resize(information.rows(), 0);
  if (regular) inverse_ = factor.solve(Matrix::Identity(information.rows(), information.cols()));
  else invert_what_can_be(correlations);
  inverse_ = (scale_.asDiagonal() * inverse_ * scale_.asDiagonal()).eval();
  inverse_ = (0.5 * (inverse_ + inverse_.transpose())).eval();
}

void InformationInverse::invert_what_can_be(const Matrix& correlations) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(correlations);
  const Vector& values = solver.eigenvalues();  // in increasing order
  Index missing = 0;
  while (missing < values.size() && values[missing] <= least_independent_part) ++missing;
  const Index kept = values.size() - missing;
  missing_ = solver.eigenvectors().leftCols(missing);
  const auto directions = solver.eigenvectors().rightCols(kept);
  inverse_ = directions * values.tail(kept).cwiseInverse().asDiagonal() * directions.transpose();
}

bool InformationInverse::determines(VecIn c) const {
  if (missing_.cols() == 0) return true;
  const Vector scaled = c.cwiseProduct(scale_);
  return (missing_.transpose() * scaled).norm() <= 1e-4 * scaled.norm();
}

Matrix symmetric_of(VecIn triangle) {
  const auto d =
      static_cast<Index>(std::lround(0.5 * (std::sqrt(8.0 * static_cast<double>(triangle.size()) + 1.0) - 1.0)));
  DRIFTLESS_ASSERT(d * (d + 1) / 2 == triangle.size(), "a triangle has d(d + 1)/2 entries");
  Matrix matrix(d, d);
  for (Index i = 0, next = 0; i < d; ++i)
    for (Index j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = triangle[next++];
  return matrix;
}

Vector triangle_of(const Matrix& symmetric) {
  const Index d = symmetric.rows();
  Vector triangle(d * (d + 1) / 2);
  for (Index i = 0, next = 0; i < d; ++i)
    for (Index j = 0; j <= i; ++j) triangle[next++] = symmetric(i, j);
  return triangle;
}

}  // namespace driftless
