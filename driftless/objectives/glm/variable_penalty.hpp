// ½ Σ_k penalty_k x_k², a Penalty of a RowModel.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/kernels/lane_sum.hpp"

#include <algorithm>

namespace driftless {

class VariablePenalty {
 public:
  // `penalty` of the coefficients of one prediction, the same for each of them; empty: zero.
  VariablePenalty(const Vector& penalty, Index length, std::size_t predictions)
      : penalty_(Vector::Zero(length * static_cast<Index>(predictions))) {
    for (Index first = 0; penalty.size() > 0 && first < penalty_.size(); first += length)
      penalty_.segment(first, length) = penalty;
  }

  double value(VecIn x) const {
    return 0.5 * lane_sum(static_cast<std::size_t>(x.size()), [&](std::size_t entry) {
             const auto k = static_cast<Index>(entry);
             return penalty_[k] * x[k] * x[k];
           });
  }
  void start_gradient(VecIn x, VecOut g) const { g = penalty_.cwiseProduct(x); }
  void start_product(VecIn /*x*/, VecIn v, VecOut hv) const { hv = penalty_.cwiseProduct(v); }
  void start_diagonal(VecIn /*x*/, VecOut diagonal) const { diagonal = penalty_; }
  void add_hessian(VecIn x, VecOut triangle) const {
    for (Index k = 0; k < x.size(); ++k) triangle[triangle_size(k + 1) - 1] += penalty_[k];
  }
  // What a coefficient is penalised beyond the least adds to the rank.
  CurvatureFloor floor(Index rank, Index dim) const {
    const double least = penalty_.size() > 0 ? penalty_.minCoeff() : 0.0;
    const Index more = (penalty_.array() > least).count();
    return {.least = least, .rank = std::min(dim, rank + more)};
  }
  double smoothness(double of_loss) const { return of_loss + (penalty_.size() > 0 ? penalty_.maxCoeff() : 0.0); }

 private:
  Vector penalty_;
};

}  // namespace driftless
