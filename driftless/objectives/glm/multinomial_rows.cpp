#include "driftless/objectives/glm/multinomial_rows.hpp"

#include "driftless/kernels/exponential.hpp"
#include "driftless/kernels/lane_sum.hpp"
#include "driftless/objectives/linear/scratch.hpp"

#include <algorithm>

namespace driftless {
namespace {

struct OfLabels {};  // purpose of scratch space

// For each row: m = max(0, max_k η_k), and the sum of exp(η_k − m) over all classes but the one that is the largest.
struct Normalizers {
  std::span<double> largest;
  std::span<double> others;
};

// Replaces the predictions by exp(η_k − m).
Normalizers exponentials_of(const PredictionBlock& eta) {
  const std::span<double> space = scratch<Normalizers>(3 * eta.rows);
  const Normalizers found{space.first(eta.rows), space.subspan(eta.rows, eta.rows)};
  const std::span<double> reference = space.last(eta.rows);
  std::ranges::fill(found.largest, 0.0);
  for (std::size_t k = 0; k < eta.predictions; ++k)
    for (std::size_t j = 0; j < eta.rows; ++j) found.largest[j] = std::max(found.largest[j], eta.of(k)[j]);
  for (std::size_t j = 0; j < eta.rows; ++j) reference[j] = -found.largest[j];
  exponentials(reference, reference);
  std::ranges::copy(reference, found.others.begin());
  for (std::size_t k = 0; k < eta.predictions; ++k) {
    const std::span<double> row = eta.of(k);
    for (std::size_t j = 0; j < eta.rows; ++j) row[j] -= found.largest[j];
    exponentials(row, row);
    for (std::size_t j = 0; j < eta.rows; ++j) found.others[j] += row[j];
  }
  for (double& sum : found.others) sum = sum < 1.0 ? 0.0 : sum - 1.0;  // one of them is exp(0)
  return found;
}

// η_y − m of each row, which the exponentials no longer tell.
std::span<const double> of_labels(const PredictionBlock& eta, std::span<const double> label) {
  const std::span<double> chosen = scratch<OfLabels>(eta.rows);
  for (std::size_t j = 0; j < eta.rows; ++j) {
    const auto y = static_cast<std::size_t>(label[j]);
    chosen[j] = y == 0 ? 0.0 : eta.of(y - 1)[j];
  }
  return chosen;
}

double sum_of(const Normalizers& found, std::span<const double> chosen, RowLabels rows) {
  const std::span<double> logarithm = scratch<RowLabels>(chosen.size());
  logarithms_of_one_plus(found.others, logarithm);
  return lane_sum(chosen.size(), [&](std::size_t j) {
    const double loss = (found.largest[j] - chosen[j]) + logarithm[j];
    if (rows.weight.empty()) return loss;
    return rows.weight[j] == 0.0 ? 0.0 : rows.weight[j] * loss;
  });
}

void divide(const PredictionBlock& eta, const Normalizers& found) {
  for (std::size_t k = 0; k < eta.predictions; ++k)
    for (std::size_t j = 0; j < eta.rows; ++j) eta.of(k)[j] /= 1.0 + found.others[j];
}

void subtract_labels(const PredictionBlock& eta, RowLabels rows, double scale) {
  for (std::size_t j = 0; j < eta.rows; ++j) {
    const auto y = static_cast<std::size_t>(rows.label[j]);
    if (y > 0) eta.of(y - 1)[j] -= 1.0;
  }
  for (std::size_t k = 0; k < eta.predictions; ++k)
    for (std::size_t j = 0; j < eta.rows; ++j) {
      const double weight = rows.weight.empty() ? scale : scale * rows.weight[j];
      eta.of(k)[j] = weight == 0.0 ? 0.0 : weight * eta.of(k)[j];
    }
}

}  // namespace

double multinomial_sum(const PredictionBlock& eta, RowLabels rows) {
  const std::span<const double> chosen = of_labels(eta, rows.label);
  return sum_of(exponentials_of(eta), chosen, rows);
}

void multinomial_probabilities(const PredictionBlock& eta) { divide(eta, exponentials_of(eta)); }

void multinomial_slopes(const PredictionBlock& eta, RowLabels rows, double scale) {
  multinomial_probabilities(eta);
  subtract_labels(eta, rows, scale);
}

double multinomial_sum_slopes(const PredictionBlock& eta, RowLabels rows, double scale) {
  const std::span<const double> chosen = of_labels(eta, rows.label);
  const Normalizers found = exponentials_of(eta);
  const double sum = sum_of(found, chosen, rows);
  divide(eta, found);
  subtract_labels(eta, rows, scale);
  return sum;
}

}  // namespace driftless
