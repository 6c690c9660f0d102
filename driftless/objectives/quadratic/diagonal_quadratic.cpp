#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"

#include "driftless/core/check.hpp"

#include <utility>

namespace driftless {

DiagonalQuadratic::DiagonalQuadratic(Matrix curvature, Matrix centre, double beta)
    : curvature_(std::move(curvature)), centre_(std::move(centre)), regularizer_{beta} {
  DRIFTLESS_ASSERT(curvature_.cols() > 0, "a quadratic needs a sample");
  DRIFTLESS_ASSERT(curvature_.rows() == centre_.rows() && curvature_.cols() == centre_.cols(),
                   "each sample has one curvature and one centre");
  mean_curvature_ = curvature_.rowwise().mean();
  linear_ = curvature_.cwiseProduct(centre_).rowwise().mean();
  anchor_.point = centre_.rowwise().mean();
  anchor_.gradient = mean_curvature_.cwiseProduct(anchor_.point) - linear_;
  const Matrix offset = centre_.colwise() - anchor_.point;
  anchor_.value = 0.5 * curvature_.cwiseProduct(offset.cwiseAbs2()).sum() / static_cast<double>(samples());
}

double DiagonalQuadratic::value(VecIn x) const {
  return anchor_.value_at(x, mean_curvature_.cwiseProduct(x) - linear_) + regularizer_.value(x);
}

void DiagonalQuadratic::gradient(VecIn x, VecOut g) const {
  g = mean_curvature_.cwiseProduct(x) - linear_;
  regularizer_.add_gradient(x, g);
}

double DiagonalQuadratic::value_gradient(VecIn x, VecOut g) const {
  g = mean_curvature_.cwiseProduct(x) - linear_;
  const double value = anchor_.value_at(x, g) + regularizer_.value(x);
  regularizer_.add_gradient(x, g);
  return value;
}

void DiagonalQuadratic::hessian_vector(VecIn x, VecIn v, VecOut hv) const {
  hv = mean_curvature_.cwiseProduct(v);
  regularizer_.add_hessian_vector(x, v, hv);
}

void DiagonalQuadratic::hessian_diagonal(VecIn x, VecOut diagonal) const {
  diagonal = mean_curvature_;
  regularizer_.add_hessian_diagonal(x, diagonal);
}

std::size_t DiagonalQuadratic::hessian(VecIn x, VecOut triangle) const {
  triangle.setZero();
  for (Index k = 0; k < dim(); ++k) triangle[triangle_size(k + 1) - 1] = mean_curvature_[k];
  regularizer_.add_hessian(x, triangle);
  return 1;
}

void DiagonalQuadratic::gradient(VecIn x, Batch batch, VecOut g) const {
  DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
  g.setZero();
  for (const std::int32_t j : batch) g += curvature_.col(j).cwiseProduct(x - centre_.col(j));
  g /= static_cast<double>(batch.size());
  regularizer_.add_gradient(x, g);
}

bool DiagonalQuadratic::solve(const Vector* h, double lambda, VecIn c, VecOut y) const {
  if (regularizer_.active() || !(mean_curvature_.minCoeff() + lambda > 0.0)) return false;
  y = linear_ + lambda * c;
  if (h != nullptr) y += *h;
  y.array() /= mean_curvature_.array() + lambda;
  return true;
}

}  // namespace driftless
