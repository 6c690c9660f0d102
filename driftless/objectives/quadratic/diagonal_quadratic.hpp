// f(x) = (1/m) Σ_j ½(x − b_j)' diag(a_j) (x − b_j) + β Σ_k x_k²/(1 + x_k²)
// Batches use the single samples, everything else their mean: ∇f(x) = ā∘x − c + regulariser, with
// ā = (1/m) Σ a_j and c = (1/m) Σ a_j∘b_j.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/objectives/bounded_regularizer.hpp"
#include "driftless/objectives/quadratic/quadratic_anchor.hpp"

namespace driftless {

class DiagonalQuadratic {
 public:
  // One column per sample: a_j in `curvature`, b_j in `centre`.
  DiagonalQuadratic(Matrix curvature, Matrix centre, double beta = 0.0);

  Index dim() const { return curvature_.rows(); }
  double value(VecIn x) const;
  void gradient(VecIn x, VecOut g) const;
  double value_gradient(VecIn x, VecOut g) const;
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const;
  void hessian_diagonal(VecIn x, VecOut diagonal) const;
  std::size_t hessian(VecIn x, VecOut triangle) const;

  std::size_t samples() const { return static_cast<std::size_t>(curvature_.cols()); }
  void gradient(VecIn x, Batch batch, VecOut g) const;

  // False with a regulariser or where ā + λ is not positive: then there is no closed form.
  bool solve(const Vector* h, double lambda, VecIn c, VecOut y) const;

  const Matrix& curvature() const { return curvature_; }
  const Matrix& centre() const { return centre_; }
  const Vector& mean_curvature() const { return mean_curvature_; }  // ā
  const Vector& linear() const { return linear_; }                  // c
  const QuadraticAnchor& anchor() const { return anchor_; }         // of the quadratic part

 private:
  Matrix curvature_;
  Matrix centre_;
  BoundedRegularizer regularizer_;
  Vector mean_curvature_;
  Vector linear_;
  QuadraticAnchor anchor_;
};

}  // namespace driftless
