#include "driftless/objectives/dense_quadratic.hpp"

#include "driftless/core/check.hpp"
#include "driftless/objectives/dense_product.hpp"

#include <utility>

namespace driftless {

DenseQuadratic::DenseQuadratic(Matrix a, const Vector& b, double beta)
    : a_(std::move(a)), anchor_{.point = b, .gradient = Vector::Zero(b.size()), .value = 0.0}, regularizer_{beta} {
  DRIFTLESS_ASSERT(a_.rows() == a_.cols() && a_.rows() == b.size(), "A is square and b fits it");
  linear_.resize(dim());
  symmetric_product(a_, b, linear_);
  scratch_.resize(dim());
}

DenseQuadratic::DenseQuadratic(Matrix a, Vector linear, QuadraticAnchor anchor, double beta)
    : a_(std::move(a)), linear_(std::move(linear)), anchor_(std::move(anchor)), regularizer_{beta} {
  DRIFTLESS_ASSERT(a_.rows() == a_.cols() && a_.rows() == linear_.size(), "A is square and c fits it");
  scratch_.resize(dim());
}

double DenseQuadratic::value(VecIn x) const { return value_gradient(x, scratch_); }

void DenseQuadratic::gradient(VecIn x, VecOut g) const {
  symmetric_product(a_, x, g);
  g -= linear_;
  regularizer_.add_gradient(x, g);
}

double DenseQuadratic::value_gradient(VecIn x, VecOut g) const {
  symmetric_product(a_, x, g);
  g -= linear_;
  const double value = anchor_.value_at(x, g) + regularizer_.value(x);
  regularizer_.add_gradient(x, g);
  return value;
}

void DenseQuadratic::hessian_vector(VecIn x, VecIn v, VecOut hv) const {
  symmetric_product(a_, v, hv);
  regularizer_.add_hessian_vector(x, v, hv);
}

void DenseQuadratic::hessian_diagonal(VecIn x, VecOut diagonal) const {
  diagonal = a_.diagonal();
  regularizer_.add_hessian_diagonal(x, diagonal);
}

void DenseQuadratic::gradient(VecIn x, Batch batch, VecOut g) const {
  DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
  gradient(x, g);
}

bool DenseQuadratic::factorize(double lambda) const {
  if (lambda != factored_lambda_) {
    factor_.emplace(a_ + lambda * Matrix::Identity(dim(), dim()));
    factored_lambda_ = lambda;
    ++factorizations_;
  }
  return factor_->info() == Eigen::Success;
}

bool DenseQuadratic::solve(const Vector* h, double lambda, VecIn c, VecOut y) const {
  if (regularizer_.active() || !factorize(lambda)) return false;
  y = linear_ + lambda * c;
  if (h != nullptr) y += *h;
  factor_->solveInPlace(y);
  return true;
}

}  // namespace driftless
