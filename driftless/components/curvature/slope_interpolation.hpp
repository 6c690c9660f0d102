// How far to go back after a step that was too long, from the first two derivatives of f along it at both ends. They
// remain exact where differences of f are rounding.
#pragma once

#include <algorithm>
#include <cmath>

namespace driftless {

// Derivatives of φ(s) = f(x + s p) with respect to s.
struct SlopeAt {
  double slope = 0.0;
  double curvature = 0.0;
};

// The share s of the step at which φ′, interpolated by a cubic from s = 0 and s = 1, changes from negative to positive;
// between 1/20 and 7/10. Half where φ′ is not positive at the end, a tenth where it is no number.
inline double slope_root(const SlopeAt& begin, const SlopeAt& end) {
  if (!std::isfinite(end.slope) || !std::isfinite(end.curvature)) return 0.1;
  if (!(begin.slope < 0.0 && end.slope > 0.0)) return 0.5;
  const double rise = end.slope - begin.slope;
  const double square = 3.0 * rise - 2.0 * begin.curvature - end.curvature;
  const double cube = begin.curvature + end.curvature - 2.0 * rise;
  double low = 0.0;
  double high = 1.0;
  for (int k = 0; k < 40; ++k) {
    const double s = 0.5 * (low + high);
    const double slope = begin.slope + s * (begin.curvature + s * (square + s * cube));
    (slope < 0.0 ? low : high) = s;
  }
  return std::clamp(low, 0.05, 0.7);
}

}  // namespace driftless
