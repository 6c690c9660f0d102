#include "driftless/privacy/mechanism.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"
#include "driftless/privacy/sampled_gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {

void require_positive(double value, const std::string& name) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw ConfigError({.what = "a mechanism needs a positive " + name,
                     .seen = name + " = " + number(value),
                     .advice = "give a number above 0"});
}

double noise_per_sensitivity(double sigma, double sensitivity) {
  require_positive(sigma, "deviation of its noise");
  require_positive(sensitivity, "sensitivity");
  return sigma / sensitivity;
}

}  // namespace

Mechanism Mechanism::gaussian(double sigma, double sensitivity) {
  return Mechanism(noise_per_sensitivity(sigma, sensitivity));
}

Mechanism Mechanism::discrete_gaussian(double sigma, double sensitivity) { return gaussian(sigma, sensitivity); }

Mechanism Mechanism::discrete_gaussian_sum(const SummedNoise& noise) {
  if (noise.sites == 0 || noise.dimension == 0 || !(noise.deviation >= 0.5))
    throw ConfigError({.what = "the bound of a sum of discrete Gaussians needs sites, entries and a deviation of 1/2",
                       .seen = std::to_string(noise.sites) + " sites, " + std::to_string(noise.dimension) +
                               " entries, deviation " + number(noise.deviation) + " units",
                       .advice = "use a finer lattice, so that the noise of one site is at least half a unit"});
  const double d = static_cast<double>(noise.dimension);
  const double tau = sum_correction(noise.sites, noise.deviation);
  const double sigma = std::sqrt(static_cast<double>(noise.sites)) * noise.deviation;
  Mechanism sum(noise_per_sensitivity(sigma, noise.sensitivity));
  sum.wide_noise_ = 1.0 / (1.0 / sum.noise_ + tau * std::sqrt(d));
  sum.offset_ = tau * d;
  return sum;
}

Mechanism Mechanism::sampled_gaussian(double sigma, double rate, double sensitivity) {
  if (!(rate > 0.0 && rate <= 1.0))
    throw ConfigError({.what = "a sample has each record with a chance above 0 and at most 1",
                       .seen = "rate = " + number(rate),
                       .advice = "give a rate in (0, 1]"});
  Mechanism sampled = gaussian(sigma, sensitivity);
  sampled.rate_ = rate;
  return sampled;
}

double Mechanism::rdp(double order) const {
  const double near = sampled_gaussian_rdp(order, noise_, rate_);
  if (offset_ == 0.0) return near;
  return std::min(near + offset_, order / (2.0 * wide_noise_ * wide_noise_));
}

double sum_correction(std::size_t sites, double deviation) {
  const double exponent = -2.0 * std::numbers::pi * std::numbers::pi * deviation * deviation;
  double sum = 0.0;
  for (std::size_t k = 1; k < sites; ++k)
    sum += std::exp(exponent * static_cast<double>(k) / static_cast<double>(k + 1));
  return 10.0 * sum;
}

}  // namespace driftless
