#include "driftless/objectives/glm/family.hpp"

#include <cmath>
#include <limits>

namespace driftless {

bool is_label(const FamilyOptions& options, double label) {
  switch (options.family) {
    case Family::logistic:
    case Family::squared_hinge: return label == 1.0 || label == -1.0;
    case Family::multinomial:
      return label >= 0.0 && label < static_cast<double>(options.classes) && label == std::floor(label);
    case Family::poisson: return label >= 0.0 && std::isfinite(label);
    case Family::gamma: return label > 0.0 && std::isfinite(label);
    case Family::least_squares:
    case Family::huber:
    case Family::quantile: break;
  }
  return std::isfinite(label);
}

std::string allowed_labels(const FamilyOptions& options) {
  switch (options.family) {
    case Family::logistic:
    case Family::squared_hinge: return "-1 or +1";
    case Family::multinomial: return "whole numbers from 0 to " + std::to_string(options.classes - 1);
    case Family::poisson: return "finite numbers that are not negative";
    case Family::gamma: return "finite positive numbers";
    case Family::least_squares:
    case Family::huber:
    case Family::quantile: break;
  }
  return "finite numbers";
}

double curvature_bound(const FamilyOptions& options) {
  switch (options.family) {
    case Family::logistic: return 0.25;
    case Family::multinomial: return 0.5;
    case Family::quantile: return 0.5 / options.delta;
    case Family::poisson:
    case Family::gamma: return std::numeric_limits<double>::infinity();
    case Family::least_squares:
    case Family::huber:
    case Family::squared_hinge: break;
  }
  return 1.0;
}

bool curvature_jumps(Family family) { return family == Family::huber || family == Family::quantile; }

bool has_likelihood(Family family) {
  return family != Family::huber && family != Family::squared_hinge && family != Family::quantile;
}

}  // namespace driftless
