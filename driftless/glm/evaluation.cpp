#include "driftless/glm/evaluation.hpp"

#include "driftless/core/check.hpp"
#include "driftless/glm/evaluation_layout.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace driftless {
namespace {

using internal::calibration_width;
using internal::EvaluationLayout;
using internal::RowSum;

class EvaluationSums {
 public:
  // Sums over sites may have been means times the number of sites, so counts are rounded to whole numbers again.
  EvaluationSums(const FamilyOptions& options, std::span<const double> sums)
      : layout_(options), sums_(sums.begin(), sums.end()) {
    sums_.front() = std::round(sums_.front());
    if (!single_weights()) return;
    for (std::size_t k = layout_.confusion; k < layout_.calibration; ++k) sums_[k] = std::round(sums_[k]);
  }

  std::size_t rows() const { return static_cast<std::size_t>(sums_.front()); }
  bool single_weights() const { return (*this)(RowSum::weight_spread) == 0.0; }

  double operator()(RowSum sum) const { return layout_.total(sums_, sum); }
  double mean(RowSum sum) const { return (*this)(sum) / (*this)(RowSum::weight); }
  const EvaluationLayout& layout() const { return layout_; }
  std::span<const double> all() const { return sums_; }

 private:
  EvaluationLayout layout_;
  std::vector<double> sums_;
};

std::vector<CalibrationBin> calibration_bins(const EvaluationSums& sums) {
  std::vector<CalibrationBin> bins;
  for (std::size_t tenth = 0; tenth < sums.layout().tenths; ++tenth) {
    const auto of = sums.all().subspan(sums.layout().calibration + tenth * calibration_width, calibration_width);
    bins.push_back({.rows = static_cast<std::size_t>(std::round(of[0])), .weight = of[1]});
    if (of[1] > 0.0) bins.back().predicted = of[2] / of[1];
    if (of[1] > 0.0) bins.back().observed = of[3] / of[1];
  }
  return bins;
}

double calibration_error(const std::vector<CalibrationBin>& bins, double weight) {
  double error = 0.0;
  for (const CalibrationBin& bin : bins)
    if (bin.weight > 0.0) error += bin.weight * std::abs(bin.predicted - bin.observed);
  return error / weight;
}

// Without average precision and curve where there are several classes.
void set_ranking(const EvaluationSums& sums, Evaluation& result) {
  const EvaluationLayout& layout = sums.layout();
  const bool single = sums.single_weights();
  if (layout.histograms == 1) {
    Ranking ranking = ranking_of(layout.negative(sums.all(), 0), layout.positive(sums.all(), 0), single);
    result.auc = ranking.auc;
    result.average_precision = ranking.average_precision;
    result.roc = std::move(ranking.roc);
    return;
  }
  if (layout.histograms == 0) return;
  result.auc = {0.0, 0.0};
  for (std::size_t k = 0; k < layout.histograms; ++k) {
    const BoundedValue one = ranking_of(layout.negative(sums.all(), k), layout.positive(sums.all(), k), single).auc;
    result.auc.value += one.value / static_cast<double>(layout.histograms);
    result.auc.error += one.error / static_cast<double>(layout.histograms);
  }
}

double entropy_of_labels(const std::vector<double>& confusion, std::size_t classes, double weight) {
  double sum = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    const auto row = confusion.begin() + static_cast<std::ptrdiff_t>(k * classes);
    const double part = std::accumulate(row, row + static_cast<std::ptrdiff_t>(classes), 0.0);
    if (part > 0.0) sum -= part * std::log(part / weight);
  }
  return sum;
}

void set_classes(const EvaluationSums& sums, Evaluation& result) {
  const std::size_t K = sums.layout().classes;
  const auto confusion = sums.all().subspan(sums.layout().confusion, K * K);
  result.confusion.assign(confusion.begin(), confusion.end());
  double correct = 0.0;
  for (std::size_t k = 0; k < K; ++k) correct += confusion[k * (K + 1)];
  result.accuracy = correct / result.weight;
  set_ranking(sums, result);
  if (!has_likelihood(result.family.family)) return;
  result.brier = sums.mean(RowSum::brier);
  result.deviance = 2.0 * sums(RowSum::loss);
  result.null_deviance = 2.0 * entropy_of_labels(result.confusion, K, result.weight);
  result.log_likelihood = -sums(RowSum::loss);
  if (result.family.family != Family::logistic) return;
  result.pearson = sums(RowSum::pearson);
  result.calibration = calibration_bins(sums);
  result.calibration_error = calibration_error(result.calibration, result.weight);
}

// Σ weight (y − mean)² with a bound of its relative error: both terms are exact to a few roundings, their difference
// loses in proportion.
BoundedValue squares_of_labels(const EvaluationSums& sums) {
  constexpr double roundings = 24.0 * std::numeric_limits<double>::epsilon();
  const double square = sums(RowSum::label_square), label = sums(RowSum::label);
  const double about_mean = square - label * label / sums(RowSum::weight);
  return {about_mean, roundings * (1.0 + square / about_mean)};
}

void set_numbers(const EvaluationSums& sums, Evaluation& result) {
  result.mean_squared_error = sums.mean(RowSum::square_error);
  result.mean_absolute_error = sums.mean(RowSum::absolute_error);
  if (result.family.family == Family::quantile) result.below = sums.mean(RowSum::below);
  const BoundedValue squares = squares_of_labels(sums);
  if (!(squares.error < 1.0)) return;  // all labels are equal, or nearly so
  const double unexplained = sums(RowSum::square_error) / squares.value;
  result.r_squared = {1.0 - unexplained, unexplained * squares.error};
}

void set_likelihood_of_numbers(const EvaluationSums& sums, Evaluation& result) {
  const double W = result.weight, n = static_cast<double>(result.rows), Y = sums(RowSum::label);
  result.deviance = sums(RowSum::deviance);
  result.pearson = sums(RowSum::pearson);
  const double dispersion = result.deviance / (result.family.family == Family::gamma ? W : n);
  switch (result.family.family) {
    case Family::least_squares:
      result.pearson = result.deviance;
      result.null_deviance = squares_of_labels(sums).value;
      result.log_likelihood =
          -0.5 * (n * (std::log(2.0 * std::numbers::pi * dispersion) + 1.0) - sums(RowSum::likelihood_term));
      break;
    case Family::poisson:
      result.null_deviance = 2.0 * (sums(RowSum::null_term) - (Y > 0.0 ? Y * std::log(Y / W) : 0.0));
      // The loss is μ − y log μ.
      result.log_likelihood = -sums(RowSum::loss) - sums(RowSum::likelihood_term);
      break;
    default:  // gamma; the loss is y/μ + log μ
      result.null_deviance = 2.0 * (W * std::log(Y / W) - sums(RowSum::null_term));
      result.log_likelihood = (1.0 / dispersion - 1.0) * sums(RowSum::null_term) - sums(RowSum::loss) / dispersion -
                              W * (std::log(dispersion) / dispersion + std::lgamma(1.0 / dispersion));
  }
}

std::optional<std::size_t> smallest_shown(const std::vector<SiteEvaluation>& sites) {
  std::optional<std::size_t> smallest;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (!sites[i].evaluation) continue;
    if (!smallest || sites[i].evaluation->rows < sites[*smallest].evaluation->rows) smallest = i;
  }
  return smallest;
}

}  // namespace

Evaluation evaluation_of(const FamilyOptions& options, std::span<const double> all) {
  DRIFTLESS_ASSERT(all.size() == evaluation_width(options), "the sums have the width of the family");
  const EvaluationSums sums(options, all);
  Evaluation result{.family = options, .rows = sums.rows(), .weight = sums(RowSum::weight)};
  if (result.rows == 0) return result;
  result.loss = sums.mean(RowSum::loss);
  if (sums.layout().classes > 0) {
    set_classes(sums, result);
  } else {
    set_numbers(sums, result);
    if (has_likelihood(options.family)) set_likelihood_of_numbers(sums, result);
  }
  if (result.null_deviance > 0.0) result.explained_deviance = 1.0 - result.deviance / result.null_deviance;
  return result;
}

std::vector<SiteEvaluation> site_evaluations(const FamilyOptions& options, std::span<const std::string> sites,
                                             std::span<const double> sums, std::size_t min_rows) {
  const std::size_t width = evaluation_width(options);
  DRIFTLESS_ASSERT(sums.size() == width * sites.size(), "every site has its sums");
  std::vector<SiteEvaluation> result;
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    result.push_back({sites[i], evaluation_of(options, sums.subspan(i * width, width))});
    if (result.back().evaluation->rows >= std::max<std::size_t>(min_rows, 1)) continue;
    result.back().evaluation.reset();
    ++hidden;
  }
  if (hidden != 1) return result;
  if (const std::optional<std::size_t> smallest = smallest_shown(result)) result[*smallest].evaluation.reset();
  return result;
}

}  // namespace driftless
