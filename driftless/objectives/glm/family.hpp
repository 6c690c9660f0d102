// The families of generalised linear models: the loss of a prediction η = a'x + offset against a label.
#pragma once

#include "driftless/core/options.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace driftless {

enum class Family {
  logistic,       // log(1 + exp(−y η)), y = ±1
  multinomial,    // −η_y + log(1 + Σ_k exp(η_k)); class 0 is the reference with η_0 = 0
  least_squares,  // ½(η − y)²
  poisson,        // exp(η) − y η, y ≥ 0
  gamma,          // y exp(−η) + η, y > 0: the logarithmic link, up to constants and the shape
  huber,          // ½r² for |r| ≤ δ, δ|r| − ½δ² beyond; r = η − y
  squared_hinge,  // ½ max(0, 1 − y η)², y = ±1
  quantile        // the check function of level τ, smoothed over |r| ≤ δ
};
template <>
struct EnumNames<Family> {
  static constexpr std::array<std::string_view, 8> value{"logistic", "multinomial", "least-squares", "poisson",
                                                         "gamma",    "huber",       "squared-hinge", "quantile"};
};

struct FamilyOptions {
  Family family = Family::logistic;
  double delta = 1.0;       // δ of huber, half the width of the smoothing of quantile
  double tau = 0.5;         // τ of quantile
  std::size_t classes = 2;  // of multinomial

  // Predictions of one row: K − 1 for K classes.
  std::size_t predictions() const { return family == Family::multinomial ? classes - 1 : 1; }
};

}  // namespace driftless
