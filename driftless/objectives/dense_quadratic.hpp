// f(x) = ½x'Ax − c'x + constant + β Σ_k x_k²/(1 + x_k²) with a dense symmetric A: one sample.
// One object is used by one thread at a time: it keeps scratch space and the last factorisation.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/objectives/bounded_regularizer.hpp"
#include "driftless/objectives/quadratic_anchor.hpp"

#include <Eigen/Cholesky>
#include <limits>
#include <optional>

namespace driftless {

class DenseQuadratic {
 public:
  // ½(x − b)'A(x − b)
  DenseQuadratic(Matrix a, const Vector& b, double beta = 0.0);
  // ½x'Ax − c'x + the constant that makes the anchor right.
  DenseQuadratic(Matrix a, Vector linear, QuadraticAnchor anchor, double beta);

  Index dim() const { return a_.rows(); }
  double value(VecIn x) const;
  void gradient(VecIn x, VecOut g) const;
  double value_gradient(VecIn x, VecOut g) const;
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const;
  void hessian_diagonal(VecIn x, VecOut diagonal) const;

  std::size_t samples() const { return 1; }
  void gradient(VecIn x, Batch batch, VecOut g) const;

  // False with a regulariser or where A + λI is not positive definite. The factor is kept until λ changes.
  bool solve(const Vector* h, double lambda, VecIn c, VecOut y) const;
  std::size_t factorizations() const { return factorizations_; }

  const Matrix& hessian() const { return a_; }      // of the quadratic part
  const Vector& linear() const { return linear_; }  // c
  const BoundedRegularizer& regularizer() const { return regularizer_; }

 private:
  bool factorize(double lambda) const;

  Matrix a_;
  Vector linear_;
  QuadraticAnchor anchor_;
  BoundedRegularizer regularizer_;
  mutable Vector scratch_;
  mutable std::optional<Eigen::LLT<Matrix>> factor_;
  mutable double factored_lambda_ = std::numeric_limits<double>::quiet_NaN();
  mutable std::size_t factorizations_ = 0;
};

}  // namespace driftless
