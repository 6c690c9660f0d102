// f(x) = ½x'Ax − c'x + constant + β Σ_k x_k²/(1 + x_k²) with a dense symmetric A: one sample.
// Copies share the matrix, of which one triangle is stored, and the last factorisation, until one of them needs
// another. One object is used by one thread at a time.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/kernels/packed_symmetric.hpp"
#include "driftless/objectives/bounded_regularizer.hpp"
#include "driftless/objectives/quadratic/quadratic_anchor.hpp"

#include <memory>

namespace driftless {

class DenseQuadratic {
 public:
  // ½(x − b)'A(x − b); only the lower triangle of A is read.
  DenseQuadratic(const Matrix& a, const Vector& b, double beta = 0.0);
  // ½x'Ax − c'x + constant, with the constant that gives the anchor its value.
  DenseQuadratic(const Matrix& a, Vector linear, QuadraticAnchor anchor, double beta);

  Index dim() const { return a_->dim(); }
  double value(VecIn x) const;
  void gradient(VecIn x, VecOut g) const;
  double value_gradient(VecIn x, VecOut g) const;
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const;
  void hessian_diagonal(VecIn x, VecOut diagonal) const;
  std::size_t hessian(VecIn x, VecOut triangle) const;

  std::size_t samples() const { return 1; }
  void gradient(VecIn x, Batch batch, VecOut g) const;

  // False with a regulariser or where A + λI is not positive definite. The factor is kept until λ changes.
  bool solve(const Vector* h, double lambda, VecIn c, VecOut y) const;
  std::size_t factorizations() const { return factorizations_; }

  Matrix hessian() const { return a_->full(); }     // of the quadratic part; makes a copy
  const Vector& linear() const { return linear_; }  // c
  const BoundedRegularizer& regularizer() const { return regularizer_; }

 private:
  // A + λI = LL'
  struct Factor {
    double lambda = 0.0;
    bool exists = false;  // A + λI is positive definite
    Matrix l;             // in the lower triangle
  };
  const Factor& factor(double lambda) const;

  std::shared_ptr<const PackedSymmetric> a_;
  Vector linear_;
  QuadraticAnchor anchor_;
  BoundedRegularizer regularizer_;
  mutable Vector scratch_;
  mutable std::shared_ptr<const Factor> factor_;
  mutable std::size_t factorizations_ = 0;
};

}  // namespace driftless
