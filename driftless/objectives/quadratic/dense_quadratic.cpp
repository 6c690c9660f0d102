#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "driftless/core/check.hpp"

#include <Eigen/Cholesky>
#include <utility>

namespace driftless {

DenseQuadratic::DenseQuadratic(const Matrix& a, const Vector& b, double beta)
    : a_(std::make_shared<const PackedSymmetric>(a)),
      anchor_{.point = b, .gradient = Vector::Zero(b.size()), .value = 0.0},
      regularizer_{beta} {
  DRIFTLESS_ASSERT(dim() == b.size(), "b fits A");
  linear_.resize(dim());
  a_->product(b, linear_);
  scratch_.resize(dim());
}

DenseQuadratic::DenseQuadratic(const Matrix& a, Vector linear, QuadraticAnchor anchor, double beta)
    : a_(std::make_shared<const PackedSymmetric>(a)),
      linear_(std::move(linear)),
      anchor_(std::move(anchor)),
      regularizer_{beta} {
  DRIFTLESS_ASSERT(dim() == linear_.size(), "c fits A");
  scratch_.resize(dim());
}

double DenseQuadratic::value(VecIn x) const { return value_gradient(x, scratch_); }

void DenseQuadratic::gradient(VecIn x, VecOut g) const {
  a_->product(x, g);
  g -= linear_;
  regularizer_.add_gradient(x, g);
}

double DenseQuadratic::value_gradient(VecIn x, VecOut g) const {
  a_->product(x, g);
  g -= linear_;
  const double value = anchor_.value_at(x, g) + regularizer_.value(x);
  regularizer_.add_gradient(x, g);
  return value;
}

void DenseQuadratic::hessian_vector(VecIn x, VecIn v, VecOut hv) const {
  a_->product(v, hv);
  regularizer_.add_hessian_vector(x, v, hv);
}

void DenseQuadratic::hessian_diagonal(VecIn x, VecOut diagonal) const {
  diagonal = a_->diagonal();
  regularizer_.add_hessian_diagonal(x, diagonal);
}

std::size_t DenseQuadratic::hessian(VecIn x, VecOut triangle) const {
  a_->copy_triangle(triangle.data());
  regularizer_.add_hessian(x, triangle);
  return 1;
}

void DenseQuadratic::gradient(VecIn x, Batch batch, VecOut g) const {
  DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
  gradient(x, g);
}

const DenseQuadratic::Factor& DenseQuadratic::factor(double lambda) const {
  if (factor_ == nullptr || factor_->lambda != lambda) {
    auto made = std::make_shared<Factor>(Factor{.lambda = lambda, .exists = false, .l = hessian()});
    made->l.diagonal().array() += lambda;
    const Eigen::LLT<Eigen::Ref<Matrix>> in_place(made->l);
    made->exists = in_place.info() == Eigen::Success;
    factor_ = std::move(made);
    ++factorizations_;
  }
  return *factor_;
}

bool DenseQuadratic::solve(const Vector* h, double lambda, VecIn c, VecOut y) const {
  if (regularizer_.active() || !factor(lambda).exists) return false;
  y = linear_ + lambda * c;
  if (h != nullptr) y += *h;
  const auto l = factor_->l.triangularView<Eigen::Lower>();
  l.solveInPlace(y);
  l.transpose().solveInPlace(y);
  return true;
}

}  // namespace driftless
