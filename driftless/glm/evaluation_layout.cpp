#include "driftless/glm/evaluation_layout.hpp"

#include "driftless/glm/original_scale.hpp"

#include <algorithm>

namespace driftless::internal {

EvaluationLayout::EvaluationLayout(const FamilyOptions& options) {
  constexpr std::size_t most_histograms = 64;
  const bool several = options.family == Family::multinomial;
  if (has_classes(options.family)) classes = several ? options.classes : 2;
  histograms = !several ? std::min<std::size_t>(classes, 1) : classes <= most_histograms ? classes : 0;
  bins = several ? 512 : 4096;
  tenths = options.family == Family::logistic ? 10 : 0;
  confusion = 1 + 2 * static_cast<std::size_t>(RowSum::count);
  scores = confusion + classes * classes;
  calibration = scores + histograms * 2 * bins;
  width = calibration + tenths * calibration_width;
}

double EvaluationLayout::total(std::span<const double> sums, RowSum sum) const {
  const std::size_t first = 1 + 2 * static_cast<std::size_t>(sum);
  return sums[first] + sums[first + 1];
}

std::span<const double> EvaluationLayout::negative(std::span<const double> sums, std::size_t histogram) const {
  return sums.subspan(scores + 2 * histogram * bins, bins);
}

std::span<const double> EvaluationLayout::positive(std::span<const double> sums, std::size_t histogram) const {
  return sums.subspan(scores + (2 * histogram + 1) * bins, bins);
}

}  // namespace driftless::internal
