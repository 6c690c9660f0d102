#include "driftless/privacy/clipping.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

void require_lattice(double bound, double unit, Index dim) {
  if (bound > 0.0 && std::isfinite(bound) && unit > 0.0 && std::isfinite(unit) && dim > 0) return;
  throw ConfigError(
      {.what = "a bound of rounded rows needs a positive norm, a positive unit and entries",
       .seen = "norm " + number(bound) + ", unit " + number(unit) + ", " + std::to_string(dim) + " entries",
       .advice = "give numbers above 0"});
}

}  // namespace

double clip(VecOut row, double bound) {
  if (!(bound > 0.0 && std::isfinite(bound)))
    throw ConfigError({.what = "rows are clipped to a positive norm",
                       .seen = "norm = " + number(bound),
                       .advice = "give a number above 0"});
  const double largest = row.size() == 0 ? 0.0 : row.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  if (!std::isfinite(largest)) {
    row.setZero();
    return 0.0;
  }
  if (largest == 0.0) return 1.0;
  // Scaled by a power of two, so that no square overflows or loses digits. The norm is wrong by at most about d/2
  // roundings, the scaled entries by a few: the factor leaves room for d + 8.
  const double scale = std::exp2(-std::clamp(std::ilogb(largest), -1000, 1000));
  const double slack = static_cast<double>(row.size() + 8) * 0.5 * std::numeric_limits<double>::epsilon();
  const double scaled_norm = (scale * row).norm();
  if (scaled_norm * (1.0 + slack) / scale <= bound) return 1.0;
  const double factor = bound / scaled_norm * (1.0 - slack);
  row = factor * (scale * row);
  return factor * scale;
}

double nearest_rounding_bound(double bound, double unit, Index dim) {
  require_lattice(bound, unit, dim);
  return bound + 0.5 * unit * std::sqrt(static_cast<double>(dim));
}

double randomized_rounding_bound(double bound, double unit, Index dim, double beta) {
  require_lattice(bound, unit, dim);
  if (!(beta > 0.0 && beta < 1.0))
    throw ConfigError({.what = "rounding is repeated with a chance above 0 and below 1",
                       .seen = "beta = " + number(beta),
                       .advice = "give a beta such as exp(-1/2)"});
  const double root = std::sqrt(static_cast<double>(dim));
  const double usual = bound * bound + 0.25 * unit * unit * root * root +
                       unit * std::sqrt(2.0 * std::log(1.0 / beta)) * (bound + 0.5 * unit * root);
  return std::min(bound + unit * root, std::sqrt(usual));
}

}  // namespace driftless
