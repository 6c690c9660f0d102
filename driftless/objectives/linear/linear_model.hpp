// Regularised linear prediction of one client's rows:
//   f_i(x) = w Σ_j loss(a_j'x, y_j) + (l2/2)‖x‖² + β Σ_k x_k²/(1 + x_k²)
// With w = n/M, M rows over n clients, the mean of the f_i has (1/M) Σ loss over all data: the regularisers are the
// same for every client and not weighted.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/objectives/bounded_regularizer.hpp"
#include "driftless/objectives/linear/dense_rows.hpp"
#include "driftless/objectives/linear/losses.hpp"
#include "driftless/objectives/linear/row_model.hpp"
#include "driftless/objectives/linear/sparse_rows.hpp"

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

// A loss of losses.hpp with the labels of the rows.
template <LinearLoss Loss>
class LabelledLoss {
 public:
  static constexpr bool convex = Loss::convex;

  // DataError for a label that the loss is not defined for.
  LabelledLoss(const RowsView& data, RowList rows) {
    check_rows(data, rows);
    std::vector<double> labels;
    labels.reserve(rows.size());
    for (const std::int32_t row : rows) labels.push_back(checked_label(data, static_cast<std::size_t>(row)));
    label_ = std::make_shared<const std::vector<double>>(std::move(labels));
  }

  double value(std::size_t first, std::span<const double> t) const { return Loss::value(t, labels(first, t.size())); }
  void slopes(std::size_t first, std::span<double> t, double weight) const {
    Loss::slopes(t, labels(first, t.size()), weight);
  }
  double value_slopes(std::size_t first, std::span<double> t, double weight) const {
    return Loss::value_slopes(t, labels(first, t.size()), weight);
  }
  void curvatures(std::size_t first, std::span<double> t, double weight) const {
    Loss::curvatures(t, labels(first, t.size()), weight);
  }
  void slopes(Batch batch, std::span<double> t, double weight) const {
    const std::span<double> y = scratch<LabelledLoss>(batch.size());
    for (std::size_t k = 0; k < batch.size(); ++k) y[k] = (*label_)[static_cast<std::size_t>(batch[k])];
    Loss::slopes(t, y, weight);
  }
  double largest_curvature(std::size_t /*row*/) const { return Loss::curvature; }

 private:
  static double checked_label(const RowsView& data, std::size_t row) {
    const double label = data.label(row);
    if (is_label(Loss::labels, label)) return label;
    throw DataError({.what = "a label does not suit the loss",
                     .seen = data.name() + ": row " + std::to_string(row + 1) + ": label " + number(label),
                     .advice = "use labels that are " + std::string(allowed_labels(Loss::labels))});
  }
  std::span<const double> labels(std::size_t first, std::size_t count) const {
    return std::span(*label_).subspan(first, count);
  }

  std::shared_ptr<const std::vector<double>> label_;
};

// (l2/2)‖x‖² + β Σ_k x_k²/(1 + x_k²)
class UniformPenalty {
 public:
  UniformPenalty(double l2, double beta) : l2_(l2), bounded_{beta} {}

  double value(VecIn x) const { return 0.5 * l2_ * x.squaredNorm() + bounded_.value(x); }
  void start_gradient(VecIn x, VecOut g) const {
    g = l2_ * x;
    bounded_.add_gradient(x, g);
  }
  void start_product(VecIn x, VecIn v, VecOut hv) const {
    hv = l2_ * v;
    bounded_.add_hessian_vector(x, v, hv);
  }
  void start_diagonal(VecIn x, VecOut diagonal) const {
    diagonal.setConstant(l2_);
    bounded_.add_hessian_diagonal(x, diagonal);
  }
  void add_hessian(VecIn x, VecOut triangle) const {
    for (Index k = 0; k < x.size(); ++k) triangle[triangle_size(k + 1) - 1] += l2_;
    bounded_.add_hessian(x, triangle);
  }
  // The bounded term adds at least −β/2, in no direction at every point.
  CurvatureFloor floor(Index rank, Index dim) const {
    if (bounded_.active()) return {.least = l2_ - 0.5 * bounded_.beta, .rank = dim};
    return {.least = l2_, .rank = rank};
  }
  double smoothness(double of_loss) const { return of_loss + l2_ + 2.0 * bounded_.beta; }

 private:
  double l2_;
  BoundedRegularizer bounded_;
};

template <LinearLoss Loss, class Rows>
class LinearModel : public RowModel<LabelledLoss<Loss>, UniformPenalty, Rows> {
 public:
  // DataError for a label that the loss is not defined for.
  LinearModel(const RowsView& data, RowList rows, const LinearModelOptions& options)
      : RowModel<LabelledLoss<Loss>, UniformPenalty, Rows>{
            std::make_shared<const Rows>(data, rows, options.rows), LabelledLoss<Loss>(data, rows),
            UniformPenalty(options.l2, options.beta), options.weight, options.intercept} {}
  LinearModel(std::shared_ptr<const Rows> rows, LabelledLoss<Loss> loss, const LinearModelOptions& options)
      : RowModel<LabelledLoss<Loss>, UniformPenalty, Rows>{std::move(rows), std::move(loss),
                                                           UniformPenalty(options.l2, options.beta), options.weight,
                                                           options.intercept} {}
};

template <class Rows>
using LogisticRegression = LinearModel<LogisticLoss, Rows>;
template <class Rows>
using LeastSquares = LinearModel<SquaredLoss, Rows>;

}  // namespace driftless
