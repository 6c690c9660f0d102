// The families of generalised linear models: the loss of a prediction η = a'x + offset against a label.
#pragma once

#include "driftless/core/options.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
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
  quantile        // ½|r| − (τ − ½) r, the check function of level τ; ¼r²/δ + ¼δ instead of ½|r| where |r| ≤ δ
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

bool is_label(const FamilyOptions& options, double label);
std::string allowed_labels(const FamilyOptions& options);  // for messages: "-1 or +1"

// An upper bound of ∂²loss/∂η² over all predictions and labels, of its largest eigenvalue for several predictions;
// infinite where there is none.
double curvature_bound(const FamilyOptions& options);

// Whether ∂²loss/∂η² is zero for predictions far from the label, where ∂loss/∂η is not: huber and quantile.
bool curvature_jumps(Family family);

// One row of a family with one prediction.
double loss(const FamilyOptions& options, double eta, double label);
// The inverse link: the probability of the class +1, exp(η), or η itself. Of a squared hinge it is η: it models no
// probability.
double mean_of(const FamilyOptions& options, double eta);
// Twice the excess of the loss over the least that a prediction can have: what textbooks call the unit deviance.
double unit_deviance(const FamilyOptions& options, double eta, double label);

// One row of several classes, with K − 1 predictions.
double multinomial_loss(std::span<const double> eta, double label);
void class_probabilities(std::span<const double> eta, std::span<double> probabilities);  // of K classes

// Whether the loss is the negative logarithm of a likelihood: not for huber, squared_hinge and quantile.
bool has_likelihood(Family family);
// The logarithm of the likelihood of one row, all constants included. `dispersion` is the variance of least squares and
// 1/shape of gamma; the others do not use it.
double log_likelihood(const FamilyOptions& options, double eta, double label, double dispersion);
double multinomial_log_likelihood(std::span<const double> eta, double label);

}  // namespace driftless
