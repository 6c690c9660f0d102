// What each row adds to the numbers of its site.
#include "driftless/core/check.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/glm/evaluation.hpp"
#include "driftless/glm/evaluation_layout.hpp"
#include "driftless/glm/original_scale.hpp"
#include "driftless/glm/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using internal::calibration_width;
using internal::EvaluationLayout;
using internal::RowSum;

class EvaluatedRows {
 public:
  EvaluatedRows(const FamilyOptions& options, std::span<double> sums) : o_(options), layout_(options), sums_(sums) {}

  void add(std::span<const double> eta, double label, double weight) {
    sums_[0] += 1.0;
    add(RowSum::weight, weight);
    add(RowSum::weight_spread, (weight - 1.0) * (weight - 1.0));
    if (o_.family == Family::multinomial) add_several_classes(eta, static_cast<std::size_t>(label), weight);
    else if (layout_.classes == 2) add_two_classes(eta[0], label, weight);
    else add_number(eta[0], label, weight);
  }

 private:
  // Neumaier's summation: what the rounding of the sum loses is kept beside it.
  void add(RowSum sum, double value) {
    double& high = sums_[1 + 2 * static_cast<std::size_t>(sum)];
    double& low = sums_[2 + 2 * static_cast<std::size_t>(sum)];
    const double next = high + value;
    low += std::abs(high) >= std::abs(value) ? (high - next) + value : (value - next) + high;
    high = next;
  }

  void add_score(std::size_t histogram, double score, bool positive, double weight) {
    const std::size_t bin = score_bin(score, layout_.bins);
    sums_[layout_.scores + (2 * histogram + (positive ? 1 : 0)) * layout_.bins + bin] += weight;
  }

  void add_confusion(std::size_t label, std::size_t predicted, double weight) {
    sums_[layout_.confusion + label * layout_.classes + predicted] += weight;
  }

  void add_two_classes(double eta, double label, double weight) {
    const bool positive = label > 0.0;
    add(RowSum::loss, weight * loss(o_, eta, label));
    add_confusion(positive ? 1 : 0, predicted_class({&eta, 1}), weight);
    add_score(0, eta, positive, weight);
    if (o_.family != Family::logistic) return;
    const double probability = mean_of(o_, eta), outcome = positive ? 1.0 : 0.0;
    const double opposite = mean_of(o_, -label * eta);  // of the other class, without cancellation
    add(RowSum::brier, weight * opposite * opposite);
    // opposite²/(p (1 − p)) = opposite/(1 − opposite)
    add(RowSum::pearson, weight * std::exp(-label * eta));
    const auto tenth = std::min(static_cast<std::size_t>(10.0 * probability), layout_.tenths - 1);
    const std::span<double> bin = sums_.subspan(layout_.calibration + tenth * calibration_width, calibration_width);
    bin[0] += 1.0;
    bin[1] += weight;
    bin[2] += weight * probability;
    bin[3] += weight * outcome;
  }

  void add_several_classes(std::span<const double> eta, std::size_t label, double weight) {
    add(RowSum::loss, weight * multinomial_loss(eta, static_cast<double>(label)));
    probabilities_.resize(layout_.classes);
    class_probabilities(eta, probabilities_);
    add_confusion(label, predicted_class(eta), weight);
    double brier = 0.0;
    for (std::size_t k = 0; k < layout_.classes; ++k) {
      const double miss = probabilities_[k] - (k == label ? 1.0 : 0.0);
      brier += miss * miss;
    }
    add(RowSum::brier, weight * brier);
    for (std::size_t k = 0; k < layout_.histograms; ++k) add_score(k, log_odds(k), k == label, weight);
  }

  // Of one class against all others; far beyond all bins where its probability is rounded to 0 or 1.
  double log_odds(std::size_t k) const {
    double others = 0.0;
    for (std::size_t j = 0; j < layout_.classes; ++j) others += j == k ? 0.0 : probabilities_[j];
    return std::clamp(std::log(probabilities_[k]) - std::log(others), -1e9, 1e9);
  }

  void add_number(double eta, double label, double weight) {
    const double mean = mean_of(o_, eta), miss = label - mean;
    add(RowSum::loss, weight * loss(o_, eta, label));
    add(RowSum::label, weight * label);
    add(RowSum::label_square, weight * label * label);
    add(RowSum::absolute_error, weight * std::abs(miss));
    add(RowSum::square_error, weight * miss * miss);
    if (label <= mean) add(RowSum::below, weight);
    if (has_likelihood(o_.family)) add_likelihood_terms(eta, label, weight, miss / mean);
  }

  void add_likelihood_terms(double eta, double label, double weight, double relative_miss) {
    add(RowSum::deviance, weight * unit_deviance(o_, eta, label));
    if (o_.family == Family::least_squares) add(RowSum::likelihood_term, std::log(weight));
    if (o_.family == Family::poisson) {
      add(RowSum::pearson, weight * (label - mean_of(o_, eta)) * relative_miss);
      add(RowSum::null_term, label > 0.0 ? weight * label * std::log(label) : 0.0);
      add(RowSum::likelihood_term, weight * std::lgamma(label + 1.0));
    } else if (o_.family == Family::gamma) {
      add(RowSum::pearson, weight * relative_miss * relative_miss);
      add(RowSum::null_term, weight * std::log(label));
    }
  }

  FamilyOptions o_;
  EvaluationLayout layout_;
  std::span<double> sums_;
  std::vector<double> probabilities_;
};

void require_finite(std::span<const double> eta, std::size_t row) {
  for (const double value : eta)
    if (!std::isfinite(value))
      throw DataError({.what = "The prediction of a row is not a finite number, so it cannot be judged",
                       .seen = "row " + std::to_string(row) + ": eta = " + number(value),
                       .advice = "fit the model again with l2 > 0, or look for extreme values in this row"});
}

}  // namespace

std::size_t evaluation_width(const FamilyOptions& options) { return EvaluationLayout(options).width; }

void add_evaluation(const FamilyOptions& options, std::span<const double> predictions, std::span<const double> label,
                    std::span<const double> weight, std::span<double> sums) {
  const std::size_t K = options.predictions();
  DRIFTLESS_ASSERT(predictions.size() == K * label.size(), "every row has all its predictions");
  DRIFTLESS_ASSERT(weight.empty() || weight.size() == label.size(), "every row has a weight, or none has");
  DRIFTLESS_ASSERT(sums.size() == evaluation_width(options), "the sums have the width of the family");
  EvaluatedRows rows(options, sums);
  for (std::size_t row = 0; row < label.size(); ++row) {
    const double row_weight = weight.empty() ? 1.0 : weight[row];
    if (row_weight == 0.0) continue;
    const std::span<const double> eta = predictions.subspan(K * row, K);
    require_finite(eta, row);
    rows.add(eta, label[row], row_weight);
  }
}

}  // namespace driftless
