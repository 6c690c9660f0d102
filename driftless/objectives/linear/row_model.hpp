// The objective of one client's rows with a penalty:
//   f_i(x) = w Σ_j loss_j(a_j'x) + penalty(x)
// `Loss` is the loss of all rows, bound to their labels; `Penalty` a function of x. One object is used by one thread at
// a time; idle threads of the pool may compute chunks of its passes. Copies share the rows.
//
// A loss has, for predictions t of the rows from `first` on, which it may overwrite:
//   value(first, t)                 Σ_j loss_j(t_j)
//   slopes(first, t, w)             t_j ← w ∂loss_j/∂t; of a Batch instead of `first`: of these rows
//   value_slopes(first, t, w)       the same, and returns the value
//   curvatures(first, t, w)         t_j ← w ∂²loss_j/∂t²
//   largest_curvature(row)          upper bound of ∂²loss_j/∂t²; may be infinite
//   static constexpr bool convex
// and may have curvature_jumps(), see KnowsCurvatureJumps. A penalty has
//   value(x); start_gradient(x, g), start_product(x, v, hv), start_diagonal(x, diagonal)    which overwrite the last
//   add_hessian(x, triangle)
//   floor(rank, dim), the CurvatureFloor with a convex loss of that rank; smoothness(c), the bound with a loss of bound
//   c
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/core/objective.hpp"
#include "driftless/objectives/linear/linear_rows.hpp"
#include "driftless/objectives/linear/row_pass.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace driftless {

template <class Loss, class Penalty, class Rows>
class RowModel {
 public:
  RowModel(std::shared_ptr<const Rows> rows, Loss loss, Penalty penalty, double weight, bool intercept)
      : rows_(std::move(rows)),
        loss_(std::move(loss)),
        penalty_(std::move(penalty)),
        weight_(weight),
        intercept_(intercept) {}

  Index dim() const { return rows_->dim() + (intercept_ ? 1 : 0); }
  std::size_t samples() const { return rows_->blocks().rows(); }
  const Rows& rows() const { return *rows_; }

  double value(VecIn x) const {
    const double sum = pass(&x, nullptr, [&](std::size_t first, std::span<double> z) { return loss_.value(first, z); });
    return weight_ * sum + penalty_.value(x);
  }

  void gradient(VecIn x, VecOut g) const {
    pass_at(x, g, [&](std::size_t first, std::span<double> z) {
      loss_.slopes(first, z, weight_);
      return 0.0;
    });
  }

  double value_gradient(VecIn x, VecOut g) const {
    const double sum =
        pass_at(x, g, [&](std::size_t first, std::span<double> z) { return loss_.value_slopes(first, z, weight_); });
    return weight_ * sum + penalty_.value(x);
  }

  void gradient(VecIn x, Batch batch, VecOut g) const {
    DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
    const double scale = weight_ * static_cast<double>(samples()) / static_cast<double>(batch.size());
    const std::size_t width = padded(static_cast<std::size_t>(rows_->dim()));
    const std::span<double> space = scratch<Batch>(2 * width + batch.size());
    std::ranges::fill(space, 0.0);
    const std::span<double> point = space.first(width);
    const std::span<double> sum = space.subspan(width, width);
    const std::span<double> z = space.subspan(2 * width, batch.size());
    std::copy_n(x.data(), static_cast<std::size_t>(rows_->dim()), point.data());
    const double intercept = intercept_ ? x[x.size() - 1] : 0.0;
    for (std::size_t k = 0; k < batch.size(); ++k)
      z[k] = rows_->dot(static_cast<std::size_t>(batch[k]), point.data()) + intercept;
    loss_.slopes(batch, z, scale);
    for (std::size_t k = 0; k < batch.size(); ++k) rows_->add(static_cast<std::size_t>(batch[k]), z[k], sum.data());
    penalty_.start_gradient(x, g);
    for (Index k = 0; k < rows_->dim(); ++k) g[k] += sum[static_cast<std::size_t>(k)];
    if (intercept_) g[dim() - 1] += lane_sum(z);
  }

  // The products of one conjugate-gradient solve share x: only the first computes the curvatures.
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    cache_curvatures(x);
    penalty_.start_product(x, v, hv);
    pass(&v, &hv, [&](std::size_t first, std::span<double> z) {
      const double* c = cache_.data() + first;
      for (std::size_t j = 0; j < z.size(); ++j) z[j] *= c[j];
      return 0.0;
    });
  }

  void hessian_diagonal(VecIn x, VecOut diagonal) const {
    cache_curvatures(x);
    penalty_.start_diagonal(x, diagonal);
    RowPass(*rows_, intercept_)(
        nullptr, &diagonal,
        [&](std::size_t first, std::span<double> z) {
          std::copy_n(cache_.data() + first, z.size(), z.data());
          return 0.0;
        },
        &Rows::add_squares);
  }

  std::size_t hessian(VecIn x, VecOut triangle) const {
    cache_curvatures(x);
    triangle.setZero();
    const std::size_t passes = add_weighted_gram(*rows_, cache_, intercept_, triangle);
    penalty_.add_hessian(x, triangle);
    return passes + 1;
  }

  // A convex loss adds nonnegative curvature, and none in the direction of a column that no row uses.
  CurvatureFloor curvature_floor() const
    requires(Loss::convex)
  {
    const Index columns = rows_->used_columns() + (intercept_ && samples() > 0 ? 1 : 0);
    return penalty_.floor(std::min(static_cast<Index>(samples()), columns), dim());
  }

  bool curvature_jumps() const
    requires requires(const Loss& loss) { loss.curvature_jumps(); }
  {
    return loss_.curvature_jumps();
  }

  // max_j of w m κ_j‖a_j‖² and the penalty's, m rows. Infinite where the curvatures have no bound.
  double sample_smoothness() const {
    const double largest =
        largest_row_curvature(*rows_, intercept_, [&](std::size_t row) { return loss_.largest_curvature(row); });
    return penalty_.smoothness(weight_ * static_cast<double>(samples()) * largest);
  }

 private:
  template <class Map>
  double pass(const Eigen::Ref<const Vector>* direction, VecOut* g, const Map& map) const {
    return RowPass(*rows_, intercept_)(direction, g, map);
  }

  // A pass for the gradient. After the first Hessian product, predictions are cached for the next product or gradient
  // at the same point.
  template <class Map>
  double pass_at(VecIn x, VecOut g, const Map& map) const {
    penalty_.start_gradient(x, g);
    if (!caching_) return pass(&x, &g, map);
    if (cached_ == Cached::predictions && cached_at_ == x)
      return pass(nullptr, &g, [&](std::size_t first, std::span<double> z) {
        std::copy_n(cache_.data() + first, z.size(), z.data());
        return map(first, z);
      });
    const double sum = pass(&x, &g, [&](std::size_t first, std::span<double> z) {
      std::ranges::copy(z, cache_.data() + first);
      return map(first, z);
    });
    cached_ = Cached::predictions;
    cached_at_ = x;
    return sum;
  }

  void cache_curvatures(VecIn x) const {
    caching_ = true;
    if (cached_at_.size() != x.size() || cached_at_ != x) {
      cache_.resize(samples());
      pass(&x, nullptr, [&](std::size_t first, std::span<double> z) {
        std::ranges::copy(z, cache_.data() + first);
        return 0.0;
      });
      cached_ = Cached::predictions;
      cached_at_ = x;
    }
    if (cached_ == Cached::curvatures) return;
    loss_.curvatures(0, cache_, weight_);
    cached_ = Cached::curvatures;
  }

  enum class Cached { predictions, curvatures };

  std::shared_ptr<const Rows> rows_;
  Loss loss_;
  Penalty penalty_;
  double weight_;
  bool intercept_;
  mutable bool caching_ = false;
  mutable Cached cached_ = Cached::predictions;
  mutable std::vector<double> cache_;  // predictions at cached_at_, or the curvatures there times weight_
  mutable Vector cached_at_;
};

}  // namespace driftless
