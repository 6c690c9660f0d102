// Samples whose matrices share one basis, up to a coupling D that belongs to the client:
//   f(x) = (1/m) Σ_j ½(x − b_j)'A_j(x − b_j) + β Σ_k x_k²/(1 + x_k²),   A_j = Q (diag(a_j) + D) Q'.
// With D = 0 all matrices commute. Full gradients use the dense mean matrix (one product); batches work in the
// coordinates of Q (two products, three with a coupling), so no sample needs a matrix of its own.
// Copies share the matrices. One object is used by one thread at a time, because it has scratch space.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"

#include <memory>

namespace driftless {

class RotatedQuadratic {
 public:
  using Basis = std::shared_ptr<const Matrix>;  // Q, shared by the clients

  // One column per sample: a_j in `curvature`, b_j (not rotated) in `centre`. An empty coupling is D = 0.
  RotatedQuadratic(Basis basis, Matrix curvature, const Matrix& centre, const Matrix& coupling = {}, double beta = 0.0);

  Index dim() const { return mean_.dim(); }
  double value(VecIn x) const { return mean_.value(x); }
  void gradient(VecIn x, VecOut g) const { mean_.gradient(x, g); }
  double value_gradient(VecIn x, VecOut g) const { return mean_.value_gradient(x, g); }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const { mean_.hessian_vector(x, v, hv); }
  void hessian_diagonal(VecIn x, VecOut diagonal) const { mean_.hessian_diagonal(x, diagonal); }
  std::size_t hessian(VecIn x, VecOut triangle) const { return mean_.hessian(x, triangle); }
  bool solve(const Vector* h, double lambda, VecIn c, VecOut y) const { return mean_.solve(h, lambda, c, y); }

  std::size_t samples() const { return aligned_.samples(); }
  void gradient(VecIn x, Batch batch, VecOut g) const;

  const Basis& basis() const { return basis_; }
  Matrix coupling() const { return coupling_->full(); }          // D; makes a copy
  const DiagonalQuadratic& aligned() const { return aligned_; }  // the a_j and Q'b_j, without D and β
  const DenseQuadratic& mean() const { return mean_; }

 private:
  bool coupled() const { return coupling_->dim() > 0; }
  DenseQuadratic aggregate(const Matrix& coupling, double beta) const;
  QuadraticAnchor anchor_in_basis(const Matrix& coupling) const;

  Basis basis_;
  DiagonalQuadratic aligned_;
  std::shared_ptr<const PackedSymmetric> coupling_;
  DenseQuadratic mean_;
  mutable Vector point_;  // Q'x
  mutable Vector slope_;  // Q'∇f
  mutable Vector offset_;
  mutable Vector pull_;
};

}  // namespace driftless
