#include "driftless/privacy/mechanism.hpp"

#include "driftless/core/error.hpp"
#include "driftless/privacy/sampled_gaussian.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

namespace driftless {
namespace {

// log Σ_k p(k)^α q(k)^{1 − α} / (α − 1)
double divergence(const std::vector<double>& p, const std::vector<double>& q, double order) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k)
    if (p[k] > 0.0 && q[k] > 0.0) sum += std::exp(order * std::log(p[k]) + (1.0 - order) * std::log(q[k]));
  return std::log(sum) / (order - 1.0);
}

// By the trapezoidal rule, whose error falls faster than any power of the step here.
double divergence_of_sampled(double order, double noise, double rate, bool mixture_first) {
  const double step = 0.01 * noise;
  const double reach = 12.0 * noise + order;
  double sum = 0.0;
  for (double t = -reach; t < reach; t += step) {
    const double base = -t * t / (2.0 * noise * noise) - std::log(noise * std::sqrt(2.0 * std::numbers::pi));
    const double ratio = std::log(1.0 - rate + rate * std::exp((2.0 * t - 1.0) / (2.0 * noise * noise)));
    sum += step * std::exp(base + ratio * (mixture_first ? order : 1.0 - order));
  }
  return std::log(sum) / (order - 1.0);
}

constexpr int reach = 200;

std::vector<double> discrete_gaussian_at(double sigma, int shift) {
  std::vector<double> p(2 * reach + 1);
  double sum = 0.0;
  for (int k = -reach; k <= reach; ++k)
    sum += p[static_cast<std::size_t>(k + reach)] = std::exp(-(k - shift) * (k - shift) / (2.0 * sigma * sigma));
  for (double& value : p) value /= sum;
  return p;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size());
  for (int k = -reach; k <= reach; ++k)
    for (int j = -reach; j <= reach; ++j)
      if (std::abs(k - j) <= reach)
        sum[static_cast<std::size_t>(k + reach)] +=
            a[static_cast<std::size_t>(j + reach)] * b[static_cast<std::size_t>(k - j + reach)];
  return sum;
}

std::vector<double> shifted(const std::vector<double>& p, int by) {
  std::vector<double> moved(p.size());
  for (std::size_t k = static_cast<std::size_t>(by); k < p.size(); ++k) moved[k] = p[k - static_cast<std::size_t>(by)];
  return moved;
}

TEST(Mechanism, GaussianNoiseHasItsClosedForm) {
  EXPECT_DOUBLE_EQ(Mechanism::gaussian(3.0, 2.0).rdp(5.0), 5.0 * 4.0 / (2.0 * 9.0));
  EXPECT_DOUBLE_EQ(Mechanism::discrete_gaussian(3.0, 2.0).rdp(1.5), 1.5 * 4.0 / (2.0 * 9.0));
}

TEST(Mechanism, SampledWithRateOneIsNotSampled) {
  for (const double order : {1.25, 2.0, 7.5, 64.0})
    EXPECT_DOUBLE_EQ(Mechanism::sampled_gaussian(1.3, 1.0).rdp(order), Mechanism::gaussian(1.3).rdp(order));
}

TEST(Mechanism, SampledGaussianOfOrderTwoHasItsClosedForm) {
  for (const double rate : {1e-6, 1e-3, 0.1, 0.9})
    for (const double noise : {0.6, 1.0, 4.0})
      EXPECT_NEAR(sampled_gaussian_rdp(2.0, noise, rate), std::log1p(rate * rate * std::expm1(1.0 / (noise * noise))),
                  1e-13);
}

TEST(Mechanism, SampledGaussianIsTheDivergenceByQuadrature) {
  for (const double rate : {0.001, 0.05, 0.3, 0.8, 0.999})
    for (const double noise : {0.7, 1.0, 2.5, 8.0})
      for (const double order : {1.015625, 1.25, 1.9, 2.5, 3.0, 6.7, 15.3, 20.0}) {
        const double expected = divergence_of_sampled(order, noise, rate, true);
        EXPECT_NEAR(sampled_gaussian_rdp(order, noise, rate), expected, 1e-9 * expected + 2e-11)
            << "rate " << rate << " noise " << noise << " order " << order;
      }
}

TEST(Mechanism, TheOtherDirectionOfASampleIsNotWorse) {
  for (const double rate : {0.05, 0.3, 0.8})
    for (const double noise : {0.7, 1.0, 2.5})
      for (const double order : {1.25, 2.5, 6.0})
        EXPECT_LE(divergence_of_sampled(order, noise, rate, false), sampled_gaussian_rdp(order, noise, rate) + 1e-10);
}

TEST(Mechanism, WholeOrdersContinueThoseBetween) {
  for (const double rate : {0.001, 0.1, 0.7})
    for (const double noise : {0.5, 1.0, 5.0})
      for (const double order : {2.0, 5.0, 32.0, 200.0}) {
        const double at = sampled_gaussian_rdp(order, noise, rate);
        const double below = sampled_gaussian_rdp(order - 1e-6, noise, rate);
        const double above = sampled_gaussian_rdp(order + 1e-6, noise, rate);
        EXPECT_LE(below, at + 1e-10);
        EXPECT_GE(above, at - 1e-10);
        EXPECT_NEAR(0.5 * (below + above), at, 1e-7 * at + 1e-10);
      }
}

TEST(Mechanism, LittleNoiseAndHighOrdersStayFinite) {
  EXPECT_NEAR(sampled_gaussian_rdp(10000.0, 0.05, 0.5), 10000.0 / (2.0 * 0.0025) + std::log(0.5), 1.0);
  EXPECT_NEAR(sampled_gaussian_rdp(1.5, 0.02, 1e-5), 1.5 / (2.0 * 0.0004) + 3.0 * std::log(1e-5), 1e-6);
}

TEST(Mechanism, DiscreteGaussianIsWithinTheBoundOfTheContinuousOne) {
  for (const double sigma : {0.5, 1.0, 3.0})
    for (const double order : {1.1, 2.0, 8.0})
      EXPECT_LE(divergence(discrete_gaussian_at(sigma, 2), discrete_gaussian_at(sigma, 0), order),
                Mechanism::discrete_gaussian(sigma, 2.0).rdp(order) * (1.0 + 1e-9));
}

TEST(Mechanism, SumsOfDiscreteGaussiansAreWithinTheirBound) {
  for (const double sigma : {0.5, 0.6, 0.8, 1.5}) {
    const std::vector<double> one = discrete_gaussian_at(sigma, 0);
    std::vector<double> sum = one;
    for (std::size_t sites = 2; sites <= 6; ++sites) {
      sum = convolved(sum, one);
      for (const double order : {1.2, 2.0, 3.5})
        for (const int sensitivity : {1, 2, 4}) {
          const double exact = divergence(shifted(sum, sensitivity), sum, order);
          const double bound =
              Mechanism::discrete_gaussian_sum(
                  {.sites = sites, .deviation = sigma, .sensitivity = static_cast<double>(sensitivity)})
                  .rdp(order);
          EXPECT_LE(exact, bound * (1.0 + 1e-9)) << sigma << " " << sites << " " << order << " " << sensitivity;
        }
    }
  }
}

// Without the correction the bound would be wrong: a sum of coarse noise is worse than one discrete Gaussian.
TEST(Mechanism, SumsOfCoarseNoiseNeedTheCorrection) {
  const std::vector<double> one = discrete_gaussian_at(0.5, 0);
  const std::vector<double> two = convolved(one, one);
  EXPECT_GT(divergence(shifted(two, 1), two, 3.0), Mechanism::gaussian(std::sqrt(2.0) * 0.5).rdp(3.0) * 1.05);
}

TEST(Mechanism, TheCorrectionVanishesForFineLattices) {
  EXPECT_EQ(sum_correction(1, 0.5), 0.0);
  EXPECT_NEAR(sum_correction(2, 1.0), 10.0 * std::exp(-std::numbers::pi * std::numbers::pi), 1e-15);
  EXPECT_LT(sum_correction(1000, 3.0), 1e-30);
  EXPECT_DOUBLE_EQ(Mechanism::discrete_gaussian_sum({.sites = 100, .deviation = 4.0, .dimension = 1000}).rdp(3.0),
                   Mechanism::gaussian(40.0).rdp(3.0));
}

TEST(Mechanism, RejectsWhatHasNoBound) {
  EXPECT_THROW(Mechanism::gaussian(0.0), ConfigError);
  EXPECT_THROW(Mechanism::gaussian(1.0, -1.0), ConfigError);
  EXPECT_THROW(Mechanism::sampled_gaussian(1.0, 0.0), ConfigError);
  EXPECT_THROW(Mechanism::sampled_gaussian(1.0, 1.5), ConfigError);
  EXPECT_THROW(Mechanism::discrete_gaussian_sum({.sites = 3, .deviation = 0.4}), ConfigError);
}

}  // namespace
}  // namespace driftless
