// Regularised linear prediction of one client's rows:
//   f_i(x) = w Σ_j loss(a_j'x, y_j) + (l2/2)‖x‖²
// With w = n/M, M rows over n clients, the mean of the f_i is (1/M) Σ loss + (l2/2)‖x‖² over all data: the regulariser
// is the same for every client and not weighted. Rows are taken in their order, so equal input gives equal bits.
// One object is used by one thread at a time: Hessian products keep the curvatures of the last point.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/objective.hpp"
#include "driftless/core/text.hpp"
#include "driftless/objectives/linear_rows.hpp"
#include "driftless/objectives/losses.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace driftless {

struct LinearModelOptions {
  double weight = 1.0;  // w
  double l2 = 0.0;
  bool intercept = false;  // a last column of ones, regularised like the rest
};

template <class Loss, class Rows>
class LinearModel {
 public:
  // A label the loss cannot use is a DataError.
  LinearModel(const Dataset& data, RowList rows, const LinearModelOptions& options)
      : rows_(data, rows, options.intercept), weight_(options.weight), l2_(options.l2) {
    label_.reserve(rows.size());
    for (const std::int32_t row : rows) label_.push_back(checked_label(data, static_cast<std::size_t>(row)));
  }

  Index dim() const { return rows_.dim(); }

  double value(VecIn x) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < samples(); ++j) sum += Loss::value(rows_.dot(j, x), label_[j]);
    return weight_ * sum + 0.5 * l2_ * x.squaredNorm();
  }

  void gradient(VecIn x, VecOut g) const {
    g = l2_ * x;
    for (std::size_t j = 0; j < samples(); ++j) add_slope(j, weight_, x, g);
  }

  double value_gradient(VecIn x, VecOut g) const {
    double sum = 0.0;
    g = l2_ * x;
    for (std::size_t j = 0; j < samples(); ++j) {
      const double prediction = rows_.dot(j, x);
      sum += Loss::value(prediction, label_[j]);
      rows_.add(j, weight_ * Loss::slope(prediction, label_[j]), g);
    }
    return weight_ * sum + 0.5 * l2_ * x.squaredNorm();
  }

  std::size_t samples() const { return rows_.rows(); }

  void gradient(VecIn x, Batch batch, VecOut g) const {
    DRIFTLESS_ASSERT(!batch.empty(), "a batch holds at least one sample");
    const double scale = weight_ * static_cast<double>(samples()) / static_cast<double>(batch.size());
    g = l2_ * x;
    for (const std::int32_t j : batch) add_slope(static_cast<std::size_t>(j), scale, x, g);
  }

  // The products of one conjugate-gradient solve share x: only the first pays for the curvatures.
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    refresh_curvatures(x);
    hv = l2_ * v;
    for (std::size_t j = 0; j < samples(); ++j) rows_.add(j, curvature_[j] * rows_.dot(j, v), hv);
  }

  // Shares the curvatures with the products at x.
  void hessian_diagonal(VecIn x, VecOut diagonal) const {
    refresh_curvatures(x);
    diagonal.setConstant(l2_);
    for (std::size_t j = 0; j < samples(); ++j) rows_.add_squares(j, curvature_[j], diagonal);
  }

  // Losses are convex, and a column that no row uses bends nothing.
  CurvatureFloor curvature_floor() const {
    return {.least = l2_, .rank = std::min(static_cast<Index>(samples()), rows_.used_columns())};
  }

 private:
  static double checked_label(const Dataset& data, std::size_t row) {
    const double label = data.label.at(row);
    if (Loss::accepts(label)) return label;
    throw DataError({.what = "a label does not suit the loss",
                     .seen = data.name + ": row " + std::to_string(row + 1) + ": label " + number(label),
                     .advice = "use labels that are " + std::string(Loss::labels)});
  }

  void add_slope(std::size_t row, double scale, VecIn x, VecOut g) const {
    rows_.add(row, scale * Loss::slope(rows_.dot(row, x), label_[row]), g);
  }

  void refresh_curvatures(VecIn x) const {
    if (curvature_at_.size() == x.size() && curvature_at_ == x) return;
    curvature_.resize(samples());
    for (std::size_t j = 0; j < samples(); ++j) curvature_[j] = weight_ * Loss::curvature(rows_.dot(j, x), label_[j]);
    curvature_at_ = x;
  }

  Rows rows_;
  std::vector<double> label_;
  double weight_;
  double l2_;
  mutable Vector curvature_at_;
  mutable std::vector<double> curvature_;  // weight included
};

template <class Rows>
using LogisticRegression = LinearModel<LogisticLoss, Rows>;
template <class Rows>
using LeastSquares = LinearModel<SquaredLoss, Rows>;

}  // namespace driftless
