#include "driftless/privacy/accountant.hpp"

#include "driftless/core/error.hpp"

#include "tests/privacy/analytic_gaussian.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

double epsilon_of(const Mechanism& mechanism, std::size_t count, double delta) {
  Accountant accountant;
  accountant.add(mechanism, count);
  return accountant.epsilon(delta);
}

// With ε = ρα + log(1 − 1/α) − (log δ + log α)/(α − 1), over orders much denser than those of the accountant.
double least_on_dense_orders(double rho, double delta) {
  double least = 1e300;
  for (double x = -5.0; x < 10.0; x += 1e-4) {
    const double order = 1.0 + std::exp(x);
    least = std::min(least, rho * order + std::log1p(-1.0 / order) - std::log(delta * order) / (order - 1.0));
  }
  return least;
}

// Abadi et al., "Deep learning with differential privacy", CCS 2016, section 3: q = 0.01, σ = 4, δ = 1e-5, T = 10000
// give ε ≈ 1.26 by moments of whole orders and the older conversion. The one used here is tighter.
TEST(Accountant, KnowsTheExampleOfTheMomentsAccountant) {
  const Mechanism step = Mechanism::sampled_gaussian(4.0, 0.01);
  double published = 1e300;
  for (double order = 2.0; order <= 33.0; order += 1.0)
    published = std::min(published, 10000.0 * step.rdp(order) + std::log(1e5) / (order - 1.0));
  EXPECT_NEAR(published, 1.26, 0.005);
  const double epsilon = epsilon_of(step, 10000, 1e-5);
  EXPECT_LT(epsilon, published);
  EXPECT_GT(epsilon, 0.75 * published);
}

TEST(Accountant, FindsTheLeastBoundOfGaussianNoise) {
  for (const double noise : {0.3, 1.0, 5.0, 40.0})
    for (const std::size_t count : {1, 10, 1000})
      for (const double delta : {1e-3, 1e-6, 1e-10}) {
        const double rho = static_cast<double>(count) / (2.0 * noise * noise);
        const double least = least_on_dense_orders(rho, delta);
        EXPECT_NEAR(epsilon_of(Mechanism::gaussian(noise), count, delta), least, 1e-5 * least);
      }
}

// The exact value of T exchanges is that of one with noise z/√T. The bound is above it, and not by much.
TEST(Accountant, IsCloseAboveTheExactPrivacyOfGaussianNoise) {
  for (const double noise : {0.5, 1.0, 3.0, 10.0})
    for (const std::size_t count : {1, 4, 100}) {
      const double exact = exact_epsilon(noise / std::sqrt(static_cast<double>(count)), 1e-6);
      const double bound = epsilon_of(Mechanism::gaussian(noise), count, 1e-6);
      EXPECT_GE(bound, exact);
      EXPECT_LE(bound, 1.15 * exact);
    }
}

TEST(Accountant, AddsMechanismsOfDifferentSensitivities) {
  Accountant accountant;
  accountant.add(Mechanism::gaussian(2.0, 1.0), 3);
  accountant.add(Mechanism::discrete_gaussian(10.0, 4.0), 2);
  accountant.add(Mechanism::sampled_gaussian(1.5, 0.1), 7);
  const double order = 4.5;
  EXPECT_NEAR(accountant.rdp(order),
              3.0 * order / 8.0 + 2.0 * order * 16.0 / 200.0 + 7.0 * Mechanism::sampled_gaussian(1.5, 0.1).rdp(order),
              1e-12);
}

TEST(Accountant, NothingReleasedCostsNothing) {
  EXPECT_EQ(Accountant().epsilon(1e-6), 0.0);
  Accountant none;
  none.add(Mechanism::gaussian(1.0), 0);
  EXPECT_EQ(none.epsilon(1e-6), 0.0);
}

TEST(Accountant, MoreExchangesLessNoiseAndLargerSamplesCostMore) {
  const auto cost = [](double noise, double rate, std::size_t count) {
    return epsilon_of(Mechanism::sampled_gaussian(noise, rate), count, 1e-5);
  };
  EXPECT_LT(cost(1.0, 0.01, 100), cost(1.0, 0.01, 200));
  EXPECT_LT(cost(1.1, 0.01, 100), cost(1.0, 0.01, 100));
  EXPECT_LT(cost(1.0, 0.01, 100), cost(1.0, 0.02, 100));
}

TEST(Accountant, NoiseForABudgetIsTheSmallest) {
  for (const double rate : {1.0, 0.02})
    for (const double epsilon : {0.3, 2.0, 9.0})
      for (const std::size_t exchanges : {1, 200}) {
        const double noise = noise_for({.epsilon = epsilon, .delta = 1e-6}, exchanges, rate);
        EXPECT_LE(epsilon_of(Mechanism::sampled_gaussian(noise, rate), exchanges, 1e-6), epsilon);
        EXPECT_GT(epsilon_of(Mechanism::sampled_gaussian(0.9999 * noise, rate), exchanges, 1e-6), epsilon);
      }
}

TEST(Accountant, RejectsBudgetsThatNoNoiseMeets) {
  EXPECT_THROW(noise_for({.epsilon = 0.0}, 10), ConfigError);
  EXPECT_THROW(noise_for({.epsilon = 1e-7, .delta = 1e-9}, 10), ConfigError);
  EXPECT_THROW(noise_for({.epsilon = 1.0, .delta = 0.0}, 10), ConfigError);
  EXPECT_THROW(Accountant().epsilon(1.0), ConfigError);
}

}  // namespace
}  // namespace driftless
