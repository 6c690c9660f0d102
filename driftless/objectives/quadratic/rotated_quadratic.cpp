#include "driftless/objectives/quadratic/rotated_quadratic.hpp"

#include "driftless/core/check.hpp"

#include <utility>

namespace driftless {

RotatedQuadratic::RotatedQuadratic(Basis basis, Matrix curvature, const Matrix& centre, const Matrix& coupling,
                                   double beta)
    : basis_(std::move(basis)),
      aligned_(std::move(curvature), basis_->transpose() * centre),
      coupling_(std::make_shared<const PackedSymmetric>(coupling)),
      mean_(aggregate(coupling, beta)),
      point_(aligned_.dim()),
      slope_(aligned_.dim()),
      offset_(aligned_.dim()),
      pull_(aligned_.dim()) {
  DRIFTLESS_ASSERT(basis_->rows() == aligned_.dim() && basis_->cols() == aligned_.dim(),
                   "the basis is square and fits");
}

QuadraticAnchor RotatedQuadratic::anchor_in_basis(const Matrix& coupling) const {
  QuadraticAnchor anchor = aligned_.anchor();
  if (coupled()) {
    // The samples share D, so it adds nothing to the gradient at the mean of their centres.
    const Matrix offset = aligned_.centre().colwise() - anchor.point;
    anchor.value += 0.5 * offset.cwiseProduct(coupling * offset).sum() / static_cast<double>(samples());
  }
  return anchor;
}

DenseQuadratic RotatedQuadratic::aggregate(const Matrix& coupling, double beta) const {
  const Matrix& q = *basis_;
  Matrix scaled = q * aligned_.mean_curvature().asDiagonal();
  Vector linear = aligned_.linear();
  if (coupled()) {
    scaled += q * coupling;
    linear += coupling * aligned_.anchor().point;
  }
  Matrix hessian(q.rows(), q.cols());
  hessian.triangularView<Eigen::Lower>() = scaled * q.transpose();
  QuadraticAnchor anchor = anchor_in_basis(coupling);
  anchor.point = q * anchor.point;
  anchor.gradient = q * anchor.gradient;
  return DenseQuadratic(hessian, q * linear, std::move(anchor), beta);
}

void RotatedQuadratic::gradient(VecIn x, Batch batch, VecOut g) const {
  point_.noalias() = basis_->transpose() * x;
  aligned_.gradient(point_, batch, slope_);
  if (coupled()) {
    offset_.setZero();
    for (const std::int32_t j : batch) offset_ += point_ - aligned_.centre().col(j);
    offset_ /= static_cast<double>(batch.size());
    coupling_->product(offset_, pull_);
    slope_ += pull_;
  }
  g.noalias() = *basis_ * slope_;
  mean_.regularizer().add_gradient(x, g);
}

}  // namespace driftless
