#include "driftless/privacy/discrete_gaussian.hpp"

#include "driftless/core/error.hpp"

#include "tests/privacy/analytic_gaussian.hpp"
#include "tests/privacy/random_bytes.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace driftless {
namespace {

std::vector<std::int64_t> samples_of(double sigma, std::size_t count, std::uint64_t seed) {
  TestBytes bytes(seed);
  std::vector<std::int64_t> samples(count);
  DiscreteGaussian(sigma).fill(samples, bytes.source());
  return samples;
}

double weight(double k, double sigma) { return std::exp(-k * k / (2.0 * sigma * sigma)); }

double total_weight(double sigma) {
  double sum = 0.0;
  for (double k = -std::ceil(40.0 * sigma); k <= 40.0 * sigma; k += 1.0) sum += weight(k, sigma);
  return sum;
}

// χ² of the counts of single values; those expected less than ten times are one cell. In standard deviations above its
// mean: both are about right for many cells, and a limit of six leaves room for few.
double chi_square_excess(const std::vector<std::int64_t>& samples, double sigma) {
  std::map<std::int64_t, double> counts;
  for (const std::int64_t k : samples) counts[k] += 1.0;
  const double n = static_cast<double>(samples.size());
  const double total = total_weight(sigma);
  double chi_square = 0.0;
  double cells = 0.0;
  double rest = n;
  double seen_rest = n;
  for (double k = -std::ceil(10.0 * sigma); k <= 10.0 * sigma; k += 1.0) {
    const double expected = n * weight(k, sigma) / total;
    if (expected < 10.0) continue;
    const double seen = counts[static_cast<std::int64_t>(k)];
    chi_square += (seen - expected) * (seen - expected) / expected;
    cells += 1.0;
    rest -= expected;
    seen_rest -= seen;
  }
  if (rest > 1.0) chi_square += (seen_rest - rest) * (seen_rest - rest) / rest;
  return (chi_square - cells) / std::sqrt(2.0 * cells);
}

class DiscreteGaussianAt : public testing::TestWithParam<double> {};

TEST_P(DiscreteGaussianAt, HasTheExactChances) {
  const double sigma = GetParam();
  EXPECT_LT(chi_square_excess(samples_of(sigma, 400000, 1), sigma), 6.0);
}

TEST_P(DiscreteGaussianAt, HasItsMeanVarianceAndTails) {
  const double sigma = GetParam();
  const std::vector<std::int64_t> samples = samples_of(sigma, 400000, 2);
  const double n = static_cast<double>(samples.size());
  const double total = total_weight(sigma);
  double variance = 0.0;
  double fourth = 0.0;
  double tail = 0.0;  // beyond 2.5 σ
  for (double k = -std::ceil(40.0 * sigma); k <= 40.0 * sigma; k += 1.0) {
    const double p = weight(k, sigma) / total;
    variance += p * k * k;
    fourth += p * k * k * k * k;
    if (std::abs(k) > 2.5 * sigma) tail += p;
  }
  double mean = 0.0;
  double square = 0.0;
  double beyond = 0.0;
  for (const std::int64_t k : samples) {
    const double x = static_cast<double>(k);
    mean += x / n;
    square += x * x / n;
    beyond += std::abs(x) > 2.5 * sigma ? 1.0 / n : 0.0;
  }
  EXPECT_NEAR(mean, 0.0, 5.0 * std::sqrt(variance / n));
  EXPECT_NEAR(square, variance, 5.0 * std::sqrt((fourth - variance * variance) / n));
  EXPECT_NEAR(beyond, tail, 5.0 * std::sqrt(tail / n) + 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Deviations, DiscreteGaussianAt, testing::Values(0.3, 0.5, 0.7, 1.0, 1.5, 3.3, 10.0, 41.7));

// A test of the test: other deviations, and the rounded continuous Gaussian, are told apart.
TEST(DiscreteGaussian, TheCountsTellAWrongDistribution) {
  EXPECT_GT(chi_square_excess(samples_of(3.3, 400000, 3), 3.33), 6.0);
  Stream chance(4, Purpose::client_noise);
  std::vector<std::int64_t> rounded(400000);
  for (std::int64_t& k : rounded) k = static_cast<std::int64_t>(std::llround(0.7 * chance.normal()));
  EXPECT_GT(chi_square_excess(rounded, 0.7), 6.0);
}

// The largest distance of the distribution functions times √n is above 2 with a chance of 7e-4.
double kolmogorov_distance(std::vector<std::int64_t> samples, double sigma) {
  std::ranges::sort(samples);
  const double n = static_cast<double>(samples.size());
  double most = 0.0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const double below = normal_below(static_cast<double>(samples[k]) / sigma);
    most = std::max(
        {most, std::abs(below - static_cast<double>(k) / n), std::abs(below - static_cast<double>(k + 1) / n)});
  }
  return most * std::sqrt(n);
}

TEST(DiscreteGaussian, WideOnesAreNormal) {
  for (const double sigma : {0x1p20, 12345678.75, 0x1p40, 0x1.8p53, 0x1p58, 0x1p60})
    EXPECT_LT(kolmogorov_distance(samples_of(sigma, 100000, 5), sigma), 2.0) << sigma;
  EXPECT_GT(kolmogorov_distance(samples_of(0x1p40, 100000, 5), 0x1.1p40), 2.0);
}

TEST(DiscreteGaussian, WideOnesHaveFairLowBits) {
  for (const double sigma : {0x1p20, 0x1.8p53, 0x1p60}) {
    std::vector<double> counts(256);
    const std::vector<std::int64_t> samples = samples_of(sigma, 256000, 6);
    for (const std::int64_t k : samples) counts[static_cast<std::uint64_t>(k) % 256] += 1.0;
    double chi_square = 0.0;
    for (const double count : counts) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
    EXPECT_LT(chi_square, 255.0 + 6.0 * std::sqrt(510.0));
  }
}

TEST(DiscreteGaussian, FollowsFromTheBytesAlone) {
  EXPECT_EQ(samples_of(7.5, 1000, 7), samples_of(7.5, 1000, 7));
  EXPECT_NE(samples_of(7.5, 1000, 7), samples_of(7.5, 1000, 8));
}

TEST(DiscreteGaussian, TakesFewBytes) {
  for (const double sigma : {1.0, 0x1p20, 0x1p60}) {
    TestBytes bytes(9);
    std::vector<std::int64_t> samples(10000);
    DiscreteGaussian(sigma).fill(samples, bytes.source());
    EXPECT_GT(bytes.taken(), samples.size());
    EXPECT_LT(bytes.taken(), 100 * samples.size());
    EXPECT_EQ(bytes.taken() % 512, 0U);
  }
}

TEST(DiscreteGaussian, RejectsDeviationsOutOfRange) {
  for (const double sigma : {0.0, -1.0, 1e-3, 0x1.1p60, std::nan("")})
    EXPECT_THROW(DiscreteGaussian{sigma}, ConfigError);
}

}  // namespace
}  // namespace driftless
