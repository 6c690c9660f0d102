// How good the predictions of a model are, from numbers that sites add up: nothing of a row leaves a site but its
// contribution to sums and counts. The sums of a site do not depend on how its rows are divided over calls.
#pragma once

#include "driftless/glm/score_histogram.hpp"
#include "driftless/objectives/glm/family.hpp"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// The numbers of one site.
std::size_t evaluation_width(const FamilyOptions& options);

// sums += those of these rows. `predictions` are η, all of a row after those of the row before it; rows of weight 0 are
// left out; an empty `weight` is 1 for all. DataError where a prediction is not finite.
void add_evaluation(const FamilyOptions& options, std::span<const double> predictions, std::span<const double> label,
                    std::span<const double> weight, std::span<double> sums);

// The rows whose probability of class 1 is in one tenth of 0 … 1.
struct CalibrationBin {
  std::size_t rows = 0;
  double weight = 0.0;
  double predicted = unknown_value;  // mean probability
  double observed = unknown_value;   // the part of class 1
};

// What a family does not have is not a number, or empty.
struct Evaluation {
  FamilyOptions family;
  std::size_t rows = 0;         // with a weight above 0
  double weight = 0.0;          // their sum
  double loss = unknown_value;  // mean of the family's loss; for logistic and multinomial the log-loss

  // Of classes. AUC and average precision are those of class 1; for several classes the AUC is the mean over all
  // classes, each against the others.
  double accuracy = unknown_value;   // with the most probable class, of two the second where its probability is above ½
  std::vector<std::string> classes;  // names for texts; the caller sets them, their numbers stand for them otherwise
  std::vector<double> confusion;     // the weight of each pair of a true class (row) and a predicted one (column)
  BoundedValue auc;
  BoundedValue average_precision;
  std::vector<RocPoint> roc;
  double brier = unknown_value;  // mean of (p − y)²; for several classes of the sum over the classes
  std::vector<CalibrationBin> calibration;
  double calibration_error = unknown_value;  // mean of |predicted − observed| over the bins, by their weight

  // Of numbers.
  double mean_squared_error = unknown_value;
  double mean_absolute_error = unknown_value;
  BoundedValue r_squared;        // against the weighted mean of these labels
  double below = unknown_value;  // of quantile: the part of labels that are not above their prediction

  // Of families with a likelihood. The null model predicts the same for all rows, whatever their offset.
  double deviance = unknown_value;
  double null_deviance = unknown_value;
  double explained_deviance = unknown_value;  // 1 − deviance/null_deviance
  double pearson = unknown_value;             // Σ weight (y − μ)²/V(μ)
  // With all constants. The dispersion is the one that R uses: for least squares and gamma deviance/rows.
  double log_likelihood = unknown_value;
};

Evaluation evaluation_of(const FamilyOptions& options, std::span<const double> sums);

// The evaluation of one site, or of none where fewer than `min_rows` rows would tell too much about each.
struct SiteEvaluation {
  std::string site;
  std::optional<Evaluation> evaluation;
};

// `sums` are those of all sites, one after the other. Where a single site has too few rows, the smallest of the others
// is left out as well: the difference to the sums of all sites would show it otherwise.
std::vector<SiteEvaluation> site_evaluations(const FamilyOptions& options, std::span<const std::string> sites,
                                             std::span<const double> sums, std::size_t min_rows);

nlohmann::ordered_json evaluation_object(const Evaluation& evaluation);
std::string evaluation_json(const Evaluation& evaluation);
std::string evaluation_text(const Evaluation& evaluation);
nlohmann::ordered_json site_evaluations_object(std::span<const SiteEvaluation> sites);
std::string site_evaluations_text(std::span<const SiteEvaluation> sites);

}  // namespace driftless
