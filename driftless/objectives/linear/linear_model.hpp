// Regularised linear prediction of one client's rows:
//   f_i(x) = w Σ_j loss(a_j'x, y_j) + (l2/2)‖x‖²
// With w = n/M, M rows over n clients, the mean of the f_i is (1/M) Σ loss + (l2/2)‖x‖² over all data: the regulariser
// is the same for every client and not weighted. Every block of rows is passed forth (predictions), turned (slopes) and
// back (their sum) while it is in the cache; all orders are fixed, so equal input gives equal bits.
// One object is used by one thread at a time, though idle threads may take parts of a pass. Copies share the rows.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/objective.hpp"
#include "driftless/core/parts.hpp"
#include "driftless/core/text.hpp"
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
  bool intercept = false;  // a last column of ones, regularised like the rest
  RowsOptions rows = {};
};

template <class Loss, class Rows>
class LinearModel {
 public:
  // A label the loss cannot use is a DataError.
  LinearModel(const Dataset& data, RowList rows, const LinearModelOptions& options)
      : rows_(std::make_shared<const Rows>(data, rows, options.rows)),
        weight_(options.weight),
        l2_(options.l2),
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
    return weight_ * sum + 0.5 * l2_ * x.squaredNorm();
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
    return weight_ * sum + 0.5 * l2_ * x.squaredNorm();
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
    g = l2_ * x;
    for (Index k = 0; k < rows_->dim(); ++k) g[k] += sum[static_cast<std::size_t>(k)];
    if (intercept_) g[dim() - 1] += lane_sum(z);
  }

  // The products of one conjugate-gradient solve share x: only the first pays for the curvatures.
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    keep_curvatures(x);
    hv = l2_ * v;
    pass(&v, &hv, [&](std::size_t first, std::span<double> z) {
      const double* c = kept_.data() + first;
      for (std::size_t j = 0; j < z.size(); ++j) z[j] *= c[j];
      return 0.0;
    });
  }

  // Of ∇²f(x).
  void hessian_diagonal(VecIn x, VecOut diagonal) const {
    keep_curvatures(x);
    diagonal.setConstant(l2_);
    pass(
        nullptr, &diagonal,
        [&](std::size_t first, std::span<double> z) {
          std::copy_n(kept_.data() + first, z.size(), z.data());
          return 0.0;
        },
        &Rows::add_squares);
  }

  // Losses are convex, and a column that no row uses bends nothing.
  CurvatureFloor curvature_floor() const {
    const Index columns = rows_->used_columns() + (intercept_ && samples() > 0 ? 1 : 0);
    return {.least = l2_, .rank = std::min(static_cast<Index>(samples()), columns)};
  }

 private:
  static double checked_label(const Dataset& data, std::size_t row) {
    const double label = data.label.at(row);
    if (Loss::accepts(label)) return label;
    throw DataError({.what = "a label does not suit the loss",
                     .seen = data.name + ": row " + std::to_string(row + 1) + ": label " + number(label),
                     .advice = "use labels that are " + std::string(Loss::labels)});
  }

  const RowBlocks& blocks() const { return rows_->blocks(); }
  std::span<const double> labels(std::size_t first, std::size_t count) const {
    return std::span(*label_).subspan(first, count);
  }
  double at_intercept(VecIn x) const { return intercept_ ? x[x.size() - 1] : 0.0; }

  using AddBack = void (Rows::*)(std::size_t block, const double* y, double* sum) const;
  // The sums of one part of a pass.
  struct PartSums {
    double turned = 0.0;     // of what `turn` returned
    double intercept = 0.0;  // of the turned predictions
  };
  static constexpr std::size_t most_parts = 16;

  // One pass over the rows: z ← A direction, turned in place by turn(first row, z), and g += A'z unless g is null.
  // Returns the sum of what `turn` returned. Without a direction z begins at zero.
  template <class Turn>
  double pass(const Eigen::Ref<const Vector>* direction, VecOut* g, const Turn& turn,
              AddBack add_back = &Rows::add_transposed) const {
    const std::size_t width = rows_->width() + 1;
    const std::size_t parts = blocks().parts();
    const std::span<double> space = scratch<RowBlocks>(width * (1 + (g != nullptr ? parts : 0)));
    double* source = space.data();
    if (direction != nullptr) rows_->spread(*direction, source);
    const double intercept = direction != nullptr ? at_intercept(*direction) : 0.0;
    std::array<PartSums, most_parts> sums;
    const auto run = [&](std::size_t part) {
      double* sum = g != nullptr ? source + width * (part + 1) : nullptr;
      if (sum != nullptr) std::fill_n(sum, width, 0.0);
      for (std::size_t b = blocks().first_of_part(part); b < blocks().first_of_part(part + 1); ++b) {
        const std::size_t count = blocks().size(b);
        const std::span<double> z = scratch<PartSums>(count + 1);
        std::ranges::fill(z, intercept);
        if (direction != nullptr) rows_->add_products(b, source, z.data());
        sums[part].turned += turn(blocks().first(b), z.first(count));
        if (sum == nullptr) continue;
        z[count] = 0.0;
        ((*rows_).*add_back)(b, z.data(), sum);
        if (intercept_) sums[part].intercept += lane_sum(z.first(count));
      }
    };
    if (parts == 1) run(0);
    else for_each_part(parts, std::ref(run));
    return joined(std::span(sums).first(parts), width, source + width, g);
  }

  // The sums of the parts in their order, into g as well.
  double joined(std::span<const PartSums> sums, std::size_t width, double* parts, VecOut* g) const {
    double turned = 0.0;
    double intercept = 0.0;
    for (std::size_t part = 0; part < sums.size(); ++part) {
      turned += sums[part].turned;
      intercept += sums[part].intercept;
      if (g != nullptr && part > 0)
        for (std::size_t k = 0; k < width; ++k) parts[k] += parts[width * part + k];
    }
    if (g != nullptr) {
      rows_->collect(parts, *g);
      if (intercept_) (*g)[dim() - 1] += intercept;
    }
    return turned;
  }

  // A pass for the gradient. Once Hessian products were asked for, predictions are kept: the next product at the same
  // point begins with them, and so does another gradient there.
  template <class Turn>
  double pass_at(VecIn x, VecOut g, const Turn& turn) const {
    g = l2_ * x;
    if (!keeps_) return pass(&x, &g, turn);
    if (what_is_kept_ == Kept::predictions && kept_at_ == x)
      return pass(nullptr, &g, [&](std::size_t first, std::span<double> z) {
        std::copy_n(kept_.data() + first, z.size(), z.data());
        return turn(first, z);
      });
    const double sum = pass(&x, &g, [&](std::size_t first, std::span<double> z) {
      std::ranges::copy(z, kept_.data() + first);
      return turn(first, z);
    });
    what_is_kept_ = Kept::predictions;
    kept_at_ = x;
    return sum;
  }

  void keep_curvatures(VecIn x) const {
    keeps_ = true;
    if (kept_at_.size() != x.size() || kept_at_ != x) {
      kept_.resize(samples());
      pass(&x, nullptr, [&](std::size_t first, std::span<double> z) {
        std::ranges::copy(z, kept_.data() + first);
        return 0.0;
      });
      what_is_kept_ = Kept::predictions;
      kept_at_ = x;
    }
    if (what_is_kept_ == Kept::curvatures) return;
    Loss::curvatures(kept_, weight_);
    what_is_kept_ = Kept::curvatures;
  }

  enum class Kept { predictions, curvatures };

  std::shared_ptr<const Rows> rows_;
  std::shared_ptr<const std::vector<double>> label_;
  double weight_;
  double l2_;
  bool intercept_;
  mutable bool keeps_ = false;
  mutable Kept what_is_kept_ = Kept::predictions;
  mutable std::vector<double> kept_;  // predictions at kept_at_, or the curvatures there, weight included
  mutable Vector kept_at_;
};

template <class Rows>
using LogisticRegression = LinearModel<LogisticLoss, Rows>;
template <class Rows>
using LeastSquares = LinearModel<SquaredLoss, Rows>;

}  // namespace driftless
