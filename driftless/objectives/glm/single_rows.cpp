// The functions of family.hpp that concern one row.
#include "driftless/core/check.hpp"
#include "driftless/kernels/exponential.hpp"
#include "driftless/objectives/glm/family.hpp"
#include "driftless/objectives/glm/family_rows.hpp"
#include "driftless/objectives/glm/multinomial_rows.hpp"

#include <algorithm>
#include <cmath>
#include <math.h>  // lgamma_r: std::lgamma writes a global variable
#include <numbers>

namespace driftless {
namespace {

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

double exponential(double x) {
  double result = 0.0;
  exponentials({&x, 1}, {&result, 1});
  return result;
}

}  // namespace

double loss(const FamilyOptions& options, double eta, double label) {
  return loss_sum(options, {&eta, 1}, {.label = {&label, 1}, .weight = {}});
}

double mean_of(const FamilyOptions& options, double eta) {
  switch (options.family) {
    case Family::logistic: {
      const double tail = exponential(-std::abs(eta));
      return (eta < 0.0 ? tail : 1.0) / (1.0 + tail);
    }
    case Family::poisson:
    case Family::gamma: return exponential(eta);
    default: return eta;
  }
}

double unit_deviance(const FamilyOptions& options, double eta, double label) {
  const double mean = mean_of(options, eta);
  switch (options.family) {
    case Family::poisson: return 2.0 * ((label == 0.0 ? 0.0 : label * (std::log(label) - eta)) - (label - mean));
    case Family::gamma: return 2.0 * ((label - mean) / mean - (std::log(label) - eta));
    case Family::quantile: return 2.0 * (loss(options, eta, label) - options.delta * options.tau * (1.0 - options.tau));
    default: return 2.0 * loss(options, eta, label);
  }
}

double log_likelihood(const FamilyOptions& options, double eta, double label, double dispersion) {
  const double cost = loss(options, eta, label);
  switch (options.family) {
    case Family::least_squares: return -0.5 * std::log(2.0 * std::numbers::pi * dispersion) - cost / dispersion;
    case Family::poisson: return -cost - log_gamma(label + 1.0);
    case Family::gamma: {
      const double shape = 1.0 / dispersion;
      return shape * (std::log(shape) + std::log(label) - cost) - std::log(label) - log_gamma(shape);
    }
    case Family::logistic: return -cost;
    default: break;
  }
  DRIFTLESS_ASSERT(false, "the family has a likelihood and one prediction");
  return 0.0;
}

double multinomial_loss(std::span<const double> eta, double label) {
  const std::span<double> copy = scratch<FamilyOptions>(eta.size());
  std::ranges::copy(eta, copy.begin());
  const PredictionBlock row{copy.data(), 1, 1, copy.size()};
  return multinomial_sum(row, {.label = {&label, 1}, .weight = {}});
}

double multinomial_log_likelihood(std::span<const double> eta, double label) { return -multinomial_loss(eta, label); }

void class_probabilities(std::span<const double> eta, std::span<double> probabilities) {
  DRIFTLESS_ASSERT(probabilities.size() == eta.size() + 1, "one probability for each class");
  double largest = 0.0;
  for (const double eta_k : eta) largest = std::max(largest, eta_k);
  probabilities[0] = -largest;
  for (std::size_t k = 0; k < eta.size(); ++k) probabilities[k + 1] = eta[k] - largest;
  exponentials(probabilities, probabilities);
  double sum = 0.0;
  for (const double e : probabilities) sum += e;
  for (double& e : probabilities) e /= sum;
}

}  // namespace driftless
