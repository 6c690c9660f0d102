// What the rows of all sites tell about the coefficients of a fitted model: standard errors, tests and intervals, from
// sums that sites add up.
#pragma once

#include "driftless/glm/evaluation.hpp"
#include "driftless/glm/model.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// Sums over the fitted rows of all sites at the fitted coefficients, where the fit is the minimum of
//   Σ_j s_j loss(η_j, y_j) + ½ Σ_k penalty_k x_k².
// Matrices are lower triangles, row after row; the coefficients of several predictions follow each other.
struct InferenceSums {
  Vector information;     // Σ_j s_j E[∂²loss/∂η²] a_j a_j'
  Vector row_scores;      // Σ_j s_j² (∂loss/∂η)² a_j a_j'; empty: none
  Vector site_scores;     // Σ_i g_i g_i' with g_i = Σ_j s_j ∂loss/∂η a_j over the rows of site i; empty: none
  std::size_t sites = 0;  // with rows
  Vector penalty;         // of each coefficient of one prediction; empty: none
};

enum class ErrorSource {
  model,  // the inverse information: valid where the labels are distributed as the family says
  row,    // a sandwich over rows, HC0: valid also for other variances of independent rows
  site    // a sandwich over sites, with the factor S/(S − 1): valid also where rows of a site depend on each other
};
template <>
struct EnumNames<ErrorSource> {
  static constexpr std::array<std::string_view, 3> value{"model", "row", "site"};
};

// An error that the rows do not determine is not a number.
struct CoefficientErrors {
  Vector error;
  double degrees = std::numeric_limits<double>::infinity();  // of Student's t; infinite: the normal distribution
  Matrix covariance;                                         // empty where there are very many coefficients
};

struct Inference {
  FamilyOptions family;
  std::string label;                 // the column that is predicted
  std::vector<std::string> classes;  // of the label
  std::size_t rows = 0;
  double weight = 0.0;
  std::size_t sites = 0;
  double parameters = 0.0;  // their number; with a penalty the effective one, tr((H + Λ)⁻¹ H)
  double degrees = 0.0;     // rows − parameters
  bool penalized = false;

  double dispersion = 1.0;  // least squares: deviance/degrees; gamma: Pearson's chi-squared/degrees
  bool dispersion_estimated = false;
  // What does not exist is not a number. The null deviance is that of an intercept alone, without offsets.
  double deviance = unknown_value;
  double null_deviance = unknown_value;
  double pearson = unknown_value;
  double log_likelihood = unknown_value;
  double aic = unknown_value;  // an estimated dispersion counts as a parameter

  std::vector<std::string> names;                          // "(intercept)" first; "CLASS: name" for several classes
  Vector estimate;                                         // on the original scale of the columns
  Vector coded_estimate;                                   // on that of the coded variables
  Vector coded_error;                                      // of the first of the errors below
  std::array<std::optional<CoefficientErrors>, 3> errors;  // by ErrorSource, on the original scale
  std::vector<std::string> notes;                          // what the reader must know about these numbers
  std::vector<std::string> warnings;                       // those of the notes that a run warns of; not in the file

  const std::optional<CoefficientErrors>& errors_of(ErrorSource source) const {
    return errors[static_cast<std::size_t>(source)];
  }
  // The first that there is; none where the rows determine nothing.
  std::optional<ErrorSource> usual_errors() const;
};

// `fitted` is the evaluation of the fitted rows, with the weights of the sums. DataError where the information is not
// finite.
Inference make_inference(const GlmModel& model, const Evaluation& fitted, const InferenceSums& sums);

struct CoefficientLine {
  std::string name;
  double estimate = 0.0;
  double error = 0.0;
  double statistic = 0.0;  // estimate/error
  double p = 0.0;          // of both tails
  double low = 0.0;        // of the interval
  double high = 0.0;
};

// DataError where there are no errors from this source.
std::vector<CoefficientLine> coefficient_lines(const Inference& inference, ErrorSource source, double level);

// What exp(coefficient) is: "odds ratio", "rate ratio", "ratio of means"; empty where it means nothing.
std::string ratio_name(Family family);

struct SummaryOptions {
  std::optional<ErrorSource> source;  // none: the usual one
  double level = 0.95;
};
std::string inference_text(const Inference& inference, const SummaryOptions& options = {});
std::string inference_markdown(const Inference& inference, const SummaryOptions& options = {});

std::string inference_json(const Inference& inference, const SummaryOptions& options = {});
// DataError where the file is not what inference_json writes.
Inference read_inference(const std::filesystem::path& file);

}  // namespace driftless
