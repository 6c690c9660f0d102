// The layout of the numbers that a site sends about its predictions.
#pragma once

#include "driftless/objectives/glm/family.hpp"

#include <cstddef>
#include <span>

namespace driftless::internal {

// Sums over rows, each in two numbers that are to be added: rounded sum and what the rounding lost.
enum class RowSum : std::size_t {
  weight,
  weight_spread,  // of (weight − 1)²: 0 where all weights are 1
  loss,
  deviance,
  pearson,
  label,
  label_square,
  absolute_error,
  square_error,
  brier,
  below,
  null_term,        // of the null deviance: y log y for poisson, log y for gamma
  likelihood_term,  // of the likelihood: log y! for poisson; log weight of a row, without its weight, for least squares
  count
};

struct EvaluationLayout {
  explicit EvaluationLayout(const FamilyOptions& options);

  double total(std::span<const double> sums, RowSum sum) const;
  // Of the scores of one class, or of class 1 where there are two: of rows of other classes, and of this one.
  std::span<const double> negative(std::span<const double> sums, std::size_t histogram) const;
  std::span<const double> positive(std::span<const double> sums, std::size_t histogram) const;

  std::size_t classes = 0;     // 0: labels are numbers
  std::size_t histograms = 0;  // one for two classes, one for each of several, none for very many
  std::size_t bins = 0;        // of each class in a histogram
  std::size_t tenths = 0;      // of the probability, for the calibration
  std::size_t confusion = 0;   // where each of them begins
  std::size_t scores = 0;
  std::size_t calibration = 0;
  std::size_t width = 0;
};

// Numbers of each bin of the calibration: rows, weight, sum of probabilities, sum of labels.
inline constexpr std::size_t calibration_width = 4;

}  // namespace driftless::internal
