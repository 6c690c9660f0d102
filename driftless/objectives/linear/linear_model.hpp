// Regularised linear prediction of one client's rows:
//   f_i(x) = w Σ_j loss(a_j'x, y_j) + (l2/2)‖x‖² + β Σ_k x_k²/(1 + x_k²)
// With w = n/M, M rows over n clients, the mean of the f_i has (1/M) Σ loss over all data: the regularisers are the
// same for every client and not weighted. A pass computes the predictions of a block of rows, maps them (to slopes, for
// a gradient) and adds A'z of the result while the block is in the cache. All orders of summation are fixed, so equal
// input gives equal bits. One object is used by one thread at a time; idle threads of the pool may compute chunks of
// its passes. Copies share the rows.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/core/chunks.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/objective.hpp"
#include "driftless/core/text.hpp"
#include "driftless/objectives/bounded_regularizer.hpp"
#include "driftless/objectives/linear/dense_rows.hpp"
#include "driftless/objectives/linear/losses.hpp"
#include "driftless/objectives/linear/scratch.hpp"
#include "driftless/objectives/linear/sparse_rows.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

struct LinearModelOptions {
  double weight = 1.0;  // w
  double l2 = 0.0;
  double beta = 0.0;       // 0: f_i is convex if the loss is
  bool intercept = false;  // a last column of ones, regularised like the rest
  RowsOptions rows = {};
};

template <LinearLoss Loss, class Rows>
class LinearModel {
 public:
  // DataError for a label that the loss is not defined for.
  LinearModel(const Dataset& data, RowList rows, const LinearModelOptions& options)
      : rows_(std::make_shared<const Rows>(data, rows, options.rows)),
        weight_(options.weight),
        l2_(options.l2),
        regularizer_{options.beta},
        intercept_(options.intercept) {
    std::vector<double> labels;
    labels.reserve(rows.size());
    for (const std::int32_t row : rows) labels.push_back(checked_label(data, static_cast<std::size_t>(row)));
    label_ = std::make_shared<const std::vector<double>>(std::move(labels));
  }

  Index dim() const { return rows_->dim() + (intercept_ ? 1 : 0); }
  std::size_t samples() const { return blocks().rows(); }
  const Rows& rows() const { return *rows_; }

  double value(VecIn x) const {
    const double sum = pass(
        &x, nullptr, [&](std::size_t first, std::span<double> z) { return Loss::value(z, labels(first, z.size())); });
    return weight_ * sum + regularizer(x);
  }

  void gradient(VecIn x, VecOut g) const {
    pass_at(x, g, [&](std::size_t first, std::span<double> z) {
      Loss::slopes(z, labels(first, z.size()), weight_);
      return 0.0;
    });
  }

  double value_gradient(VecIn x, VecOut g) const {
    const double sum = pass_at(x, g, [&](std::size_t first, std::span<double> z) {
      return Loss::value_slopes(z, labels(first, z.size()), weight_);
    });
    return weight_ * sum + regularizer(x);
  }

  void gradient(VecIn x, Batch batch, VecOut g) const {
    DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
    const double scale = weight_ * static_cast<double>(samples()) / static_cast<double>(batch.size());
    const std::size_t width = padded(static_cast<std::size_t>(rows_->dim()));
    const std::span<double> space = scratch<Batch>(2 * width + 2 * batch.size());
    std::ranges::fill(space, 0.0);
    const std::span<double> point = space.first(width);
    const std::span<double> sum = space.subspan(width, width);
    const std::span<double> z = space.subspan(2 * width, batch.size());
    const std::span<double> y = space.subspan(2 * width + batch.size(), batch.size());
    std::copy_n(x.data(), static_cast<std::size_t>(rows_->dim()), point.data());
    for (std::size_t k = 0; k < batch.size(); ++k) {
      const auto row = static_cast<std::size_t>(batch[k]);
      z[k] = rows_->dot(row, point.data()) + at_intercept(x);
      y[k] = (*label_)[row];
    }
    Loss::slopes(z, y, scale);
    for (std::size_t k = 0; k < batch.size(); ++k) rows_->add(static_cast<std::size_t>(batch[k]), z[k], sum.data());
    start_gradient(x, g);
    for (Index k = 0; k < rows_->dim(); ++k) g[k] += sum[static_cast<std::size_t>(k)];
    if (intercept_) g[dim() - 1] += lane_sum(z);
  }

  // The products of one conjugate-gradient solve share x: only the first computes the curvatures.
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    cache_curvatures(x);
    hv = l2_ * v;
    regularizer_.add_hessian_vector(x, v, hv);
    pass(&v, &hv, [&](std::size_t first, std::span<double> z) {
      const double* c = cache_.data() + first;
      for (std::size_t j = 0; j < z.size(); ++j) z[j] *= c[j];
      return 0.0;
    });
  }

  void hessian_diagonal(VecIn x, VecOut diagonal) const {
    cache_curvatures(x);
    diagonal.setConstant(l2_);
    regularizer_.add_hessian_diagonal(x, diagonal);
    pass(
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
    rows_->add_gram(cache_.data(), triangle.data());
    if (intercept_) {
      Vector sums = Vector::Zero(dim());
      VecOut last(sums);
      pass(nullptr, &last, [&](std::size_t first, std::span<double> z) {
        std::copy_n(cache_.data() + first, z.size(), z.data());
        return 0.0;
      });
      triangle.tail(dim()) = last;
    }
    for (Index k = 0; k < dim(); ++k) triangle[triangle_size(k + 1) - 1] += l2_;
    regularizer_.add_hessian(x, triangle);
    return rows_->gram_passes() + 1;
  }

  // A convex loss adds nonnegative curvature, and none in the direction of a column that no row uses. The bounded
  // regulariser adds at least −β/2, in no direction at every point.
  CurvatureFloor curvature_floor() const
    requires(Loss::convex)
  {
    const Index columns = rows_->used_columns() + (intercept_ && samples() > 0 ? 1 : 0);
    if (regularizer_.active()) return {.least = l2_ - 0.5 * regularizer_.beta, .rank = dim()};
    return {.least = l2_, .rank = std::min(static_cast<Index>(samples()), columns)};
  }

  // max_j of w m κ‖a_j‖² + l2 + 2β, m rows, κ the largest curvature of the loss: the least bound where some prediction
  // has it.
  double sample_smoothness() const {
    const std::span<double> space = scratch<CurvatureFloor>(padded(static_cast<std::size_t>(rows_->dim())));
    std::ranges::fill(space, 0.0);
    double largest = 0.0;
    for (std::size_t row = 0; row < samples(); ++row) {
      rows_->add(row, 1.0, space.data());
      largest = std::max(largest, rows_->dot(row, space.data()));  // ‖a_j‖²
      rows_->add(row, -1.0, space.data());                         // zero again
    }
    const double norm = largest + (intercept_ ? 1.0 : 0.0);
    return weight_ * static_cast<double>(samples()) * Loss::curvature * norm + l2_ + 2.0 * regularizer_.beta;
  }

 private:
  static double checked_label(const Dataset& data, std::size_t row) {
    const double label = data.label.at(row);
    if (is_label(Loss::labels, label)) return label;
    throw DataError({.what = "a label does not suit the loss",
                     .seen = data.name + ": row " + std::to_string(row + 1) + ": label " + number(label),
                     .advice = "use labels that are " + std::string(allowed_labels(Loss::labels))});
  }

  const RowBlocks& blocks() const { return rows_->blocks(); }
  std::span<const double> labels(std::size_t first, std::size_t count) const {
    return std::span(*label_).subspan(first, count);
  }
  double at_intercept(VecIn x) const { return intercept_ ? x[x.size() - 1] : 0.0; }
  double regularizer(VecIn x) const { return 0.5 * l2_ * x.squaredNorm() + regularizer_.value(x); }
  void start_gradient(VecIn x, VecOut g) const {  // of the regularisers
    g = l2_ * x;
    regularizer_.add_gradient(x, g);
  }

  using AddTransposed = void (Rows::*)(std::size_t block, const double* y, double* sum) const;
  struct ChunkSums {
    double mapped = 0.0;     // of the returned values of `map`
    double intercept = 0.0;  // of the mapped predictions
  };
  static constexpr std::size_t most_chunks = 16;

  // One pass over the rows: z ← A direction, mapped in place by map(first row, z), and g += A'z unless g is null.
  // Returns the sum of the returned values of `map`. Without a direction z starts at zero.
  template <class Map>
  double pass(const Eigen::Ref<const Vector>* direction, VecOut* g, const Map& map,
              AddTransposed add_transposed = &Rows::add_transposed) const {
    const std::size_t width = rows_->width() + 1;
    const std::size_t chunks = blocks().chunks();
    const std::span<double> space = scratch<RowBlocks>(width * (1 + (g != nullptr ? chunks : 0)));
    double* source = space.data();
    if (direction != nullptr) rows_->spread(*direction, source);
    const double intercept = direction != nullptr ? at_intercept(*direction) : 0.0;
    std::array<ChunkSums, most_chunks> sums;
    const auto run = [&](std::size_t chunk) {
      double* sum = g != nullptr ? source + width * (chunk + 1) : nullptr;
      if (sum != nullptr) std::fill_n(sum, width, 0.0);
      for (std::size_t b = blocks().first_of_chunk(chunk); b < blocks().first_of_chunk(chunk + 1); ++b) {
        const std::size_t count = blocks().size(b);
        const std::span<double> z = scratch<ChunkSums>(count + 1);
        std::ranges::fill(z, intercept);
        if (direction != nullptr) rows_->add_products(b, source, z.data());
        sums[chunk].mapped += map(blocks().first(b), z.first(count));
        if (sum == nullptr) continue;
        z[count] = 0.0;
        ((*rows_).*add_transposed)(b, z.data(), sum);
        if (intercept_) sums[chunk].intercept += lane_sum(z.first(count));
      }
    };
    if (chunks == 1) run(0);
    else for_each_chunk(chunks, std::ref(run));
    return combined(std::span(sums).first(chunks), width, source + width, g);
  }

  // Adds the sums of the chunks in their order, and adds the vectors to g unless it is null.
  double combined(std::span<const ChunkSums> sums, std::size_t width, double* vectors, VecOut* g) const {
    double mapped = 0.0;
    double intercept = 0.0;
    for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
      mapped += sums[chunk].mapped;
      intercept += sums[chunk].intercept;
      if (g != nullptr && chunk > 0)
        for (std::size_t k = 0; k < width; ++k) vectors[k] += vectors[width * chunk + k];
    }
    if (g != nullptr) {
      rows_->collect(vectors, *g);
      if (intercept_) (*g)[dim() - 1] += intercept;
    }
    return mapped;
  }

  // A pass for the gradient. After the first Hessian product, predictions are cached for the next product or gradient
  // at the same point.
  template <class Map>
  double pass_at(VecIn x, VecOut g, const Map& map) const {
    start_gradient(x, g);
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
    Loss::curvatures(cache_, *label_, weight_);
    cached_ = Cached::curvatures;
  }

  enum class Cached { predictions, curvatures };

  std::shared_ptr<const Rows> rows_;
  std::shared_ptr<const std::vector<double>> label_;
  double weight_;
  double l2_;
  BoundedRegularizer regularizer_;
  bool intercept_;
  mutable bool caching_ = false;
  mutable Cached cached_ = Cached::predictions;
  mutable std::vector<double> cache_;  // predictions at cached_at_, or the curvatures there times weight_
  mutable Vector cached_at_;
};

template <class Rows>
using LogisticRegression = LinearModel<LogisticLoss, Rows>;
template <class Rows>
using LeastSquares = LinearModel<SquaredLoss, Rows>;

}  // namespace driftless
