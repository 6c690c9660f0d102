// What observers of messages can do in clear, and cannot where rows are masked or noisy.
#include "driftless/core/random.hpp"
#include "driftless/data/dataset.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/privacy/accountant.hpp"
#include "driftless/privacy/discrete_gaussian.hpp"

#include "tests/privacy/analytic_gaussian.hpp"
#include "tests/privacy/gradient_inversion.hpp"
#include "tests/privacy/random_bytes.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

constexpr Index entries = 400;

Dataset one_record(std::uint64_t seed) {
  Stream chance(seed, Purpose::generator);
  Dataset data;
  data.name = "record";
  data.dim = entries;
  data.row_start = {0, entries};
  data.label = {1.0};
  for (Index k = 0; k < entries; ++k) {
    data.column.push_back(static_cast<std::int32_t>(k));
    data.value.push_back(chance.normal());
  }
  return data;
}

Vector record_of(const Dataset& data) { return Eigen::Map<const Vector>(data.value.data(), entries); }

Vector gradient_of(const Dataset& data) {
  const LogisticRegression<SparseRows> f(data, std::vector<std::int32_t>{0}, {.l2 = 0.1});
  Vector g(entries);
  f.value_gradient(Vector::Zero(entries), g);
  return g;
}

constexpr double unit = 0x1p-40;

std::vector<std::uint64_t> masked(std::vector<std::uint64_t> row, std::uint64_t seed) {
  Stream mask(seed, Purpose::client_noise);
  for (std::uint64_t& entry : row) entry += mask.bits();
  return row;
}

TEST(GradientInversion, OneRecordIsReadOffAGradientInClear) {
  const Dataset data = one_record(1);
  EXPECT_NEAR(agreement_of(gradient_of(data), record_of(data)), 1.0, 1e-12);
  EXPECT_LT((direction_of(gradient_of(data)) - direction_of(record_of(data))).norm(), 1e-12);
}

TEST(GradientInversion, RoundingToALatticeDoesNotPreventIt) {
  const Dataset data = one_record(1);
  EXPECT_NEAR(agreement_of(from_lattice(on_lattice(gradient_of(data), unit), unit), record_of(data)), 1.0, 1e-9);
}

TEST(GradientInversion, AMaskedRowSaysNothing) {
  const Dataset data = one_record(1);
  const std::vector<std::uint64_t> row = on_lattice(gradient_of(data), unit);
  double most = 0.0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    most = std::max(most, agreement_of(from_lattice(masked(row, seed), unit), record_of(data)));
  EXPECT_LT(most, 5.0 / std::sqrt(static_cast<double>(entries)));
}

TEST(GradientInversion, TheSumOfMasksThatCancelIsTheSumOfRows) {
  const std::vector<std::uint64_t> first = on_lattice(gradient_of(one_record(1)), unit);
  const std::vector<std::uint64_t> second = on_lattice(gradient_of(one_record(2)), unit);
  const std::vector<std::uint64_t> sent = masked(first, 7);
  const std::vector<std::uint64_t> zero(first.size());
  const std::vector<std::uint64_t> mask = masked(zero, 7);
  for (std::size_t k = 0; k < first.size(); ++k) EXPECT_EQ(sent[k] + (second[k] - mask[k]), first[k] + second[k]);
}

// Membership inference: an observer sees a noisy sum on a lattice, to which a site has contributed Δ or nothing. The
// test with the largest likelihood ratio asks whether the sum is above a threshold.
class NoisySum {
 public:
  static constexpr double sensitivity = 1000.0;
  static constexpr std::size_t sites = 4;
  static constexpr std::size_t samples = 400000;

  // Noise of all sites together: `noise` times the sensitivity.
  NoisySum(double noise, std::uint64_t seed) : deviation_(noise * sensitivity / std::sqrt(double{sites})) {
    TestBytes bytes(seed);
    const DiscreteGaussian one(deviation_);
    std::vector<std::int64_t> more(samples);
    sums_.resize(samples);
    for (std::size_t site = 0; site < sites; ++site) {
      one.fill(more, bytes.source());
      for (std::size_t k = 0; k < samples; ++k) sums_[k] += more[k];
    }
  }

  // How often the observer says "took part".
  double says(bool took_part, double threshold) const {
    std::size_t count = 0;
    for (const std::int64_t sum : sums_)
      count += static_cast<double>(sum) + (took_part ? sensitivity : 0.0) > threshold;
    return static_cast<double>(count) / static_cast<double>(samples);
  }
  double advantage() const { return says(true, 0.5 * sensitivity) - says(false, 0.5 * sensitivity); }

  // The largest P(says | took part) − e^ε P(says | did not) over thresholds: at most δ.
  double excess(double epsilon) const {
    double most = 0.0;
    for (double t = -4.0; t <= 8.0; t += 0.25)
      most = std::max(most, says(true, t * sensitivity) - std::exp(epsilon) * says(false, t * sensitivity));
    return most;
  }

  Mechanism claimed() const {
    return Mechanism::discrete_gaussian_sum({.sites = sites, .deviation = deviation_, .sensitivity = sensitivity});
  }

 private:
  double deviation_;
  std::vector<std::int64_t> sums_;
};

double epsilon_of(const Mechanism& mechanism, double delta) {
  Accountant accountant;
  accountant.add(mechanism);
  return accountant.epsilon(delta);
}

// Of every test: its true and false positives differ by at most this (Kairouz, Oh, Viswanath, ICML 2015).
double largest_advantage(double epsilon, double delta) {
  return (std::expm1(epsilon) + 2.0 * delta) / (std::exp(epsilon) + 1.0);
}

constexpr double delta = 0.01;
// Five standard deviations of the difference of two shares of the samples, the second weighted by e^ε.
double tolerance(double epsilon) {
  return 5.0 * (1.0 + std::exp(epsilon)) * 0.5 / std::sqrt(double{NoisySum::samples});
}

TEST(MembershipInference, StaysWithinTheBoundOfTheAccountant) {
  for (const double noise : {1.0, 2.0, 4.0}) {
    const NoisySum sum(noise, 1);
    const double epsilon = epsilon_of(sum.claimed(), delta);
    EXPECT_LE(sum.advantage(), largest_advantage(epsilon, delta));
    EXPECT_LE(sum.excess(epsilon), delta + tolerance(epsilon)) << noise;
  }
}

TEST(MembershipInference, HasTheAdvantageOfGaussianNoise) {
  for (const double noise : {0.5, 1.0, 4.0}) {
    const double exact = 2.0 * normal_below(0.5 / noise) - 1.0;
    EXPECT_NEAR(NoisySum(noise, 2).advantage(), exact, tolerance(0.0) + 1e-3);
  }
}

TEST(MembershipInference, SucceedsWhereThereIsLittleNoise) {
  const NoisySum sum(0.25, 3);
  EXPECT_GT(epsilon_of(sum.claimed(), delta), 10.0);
  EXPECT_GT(sum.advantage(), 0.9);
}

// The check can fail: with a third of the noise that is claimed it does.
TEST(MembershipInference, TellsNoiseThatIsSmallerThanClaimed) {
  const double claimed = epsilon_of(NoisySum(2.0, 4).claimed(), delta);
  EXPECT_GT(NoisySum(2.0 / 3.0, 4).excess(claimed), delta + tolerance(claimed));
}

}  // namespace
}  // namespace driftless
