#include "driftless/kernels/logistic.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"

#include "tests/kernels/every_simd.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace driftless {
namespace {

struct Rows {
  std::vector<double> predictions;
  std::vector<double> labels;
};

Rows random_rows(std::size_t count, double spread) {
  Stream chance(count, Purpose::generator, 7);
  Rows rows;
  for (std::size_t j = 0; j < count; ++j) {
    rows.predictions.push_back(spread * (2.0 * chance.uniform() - 1.0));
    rows.labels.push_back(chance.uniform() < 0.5 ? -1.0 : 1.0);
  }
  return rows;
}

long double value_of(const Rows& rows) {
  long double sum = 0.0L;
  for (std::size_t j = 0; j < rows.labels.size(); ++j) {
    const long double margin = static_cast<long double>(rows.labels[j]) * rows.predictions[j];
    sum += std::max(-margin, 0.0L) + std::log1p(std::exp(-std::abs(margin)));
  }
  return sum;
}

std::vector<double> slopes_of(const Rows& rows, double weight) {
  std::vector<double> slopes(rows.labels.size());
  logistic_slopes(rows.predictions, rows.labels, weight, slopes);
  return slopes;
}

std::vector<double> curvatures_of(const Rows& rows, double weight) {
  std::vector<double> curvatures(rows.labels.size());
  logistic_curvatures(rows.predictions, weight, curvatures);
  return curvatures;
}

TEST(LogisticKernel, AgreesWithTheDefinition) {
  with_every_simd([] {
    for (const double spread : {1e-9, 1e-3, 1.0, 30.0, 700.0}) {
      const Rows rows = random_rows(2000, spread);
      const long double value = value_of(rows);
      EXPECT_NEAR(logistic_value(rows.predictions, rows.labels), static_cast<double>(value),
                  1e-14 * static_cast<double>(value));
      const std::vector<double> slopes = slopes_of(rows, 0.7);
      const std::vector<double> curvatures = curvatures_of(rows, 0.7);
      for (std::size_t j = 0; j < rows.labels.size(); ++j) {
        const long double y = rows.labels[j];
        const long double tail = std::exp(-std::abs(static_cast<long double>(rows.predictions[j])));
        const bool wrong = y * rows.predictions[j] < 0.0L;
        const auto slope = static_cast<double>(-0.7L * y * (wrong ? 1.0L : tail) / (1.0L + tail));
        const auto curvature = static_cast<double>(0.7L * tail / ((1.0L + tail) * (1.0L + tail)));
        EXPECT_NEAR(slopes[j], slope, 5e-16 * std::abs(slope) + 1e-300);
        EXPECT_NEAR(curvatures[j], curvature, 1e-15 * curvature + 1e-300);
      }
    }
  });
}

TEST(LogisticKernel, GivesTheSameBitsWithEveryInstructionSet) {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 31U, 895U, 896U, 897U, 5000U}) {
    const Rows rows = random_rows(count, 8.0);
    expect_same_with_every_simd([&] { return logistic_value(rows.predictions, rows.labels); });
    expect_same_with_every_simd([&] { return slopes_of(rows, 0.3); });
    expect_same_with_every_simd([&] { return curvatures_of(rows, 0.3); });
  }
}

TEST(LogisticKernel, ValueAndSlopesTogetherAreThoseAlone) {
  with_every_simd([] {
    for (const std::size_t count : {1U, 13U, 3000U}) {
      const Rows rows = random_rows(count, 5.0);
      std::vector<double> slopes = rows.predictions;  // overwritten in place
      EXPECT_EQ(logistic_value_slopes(slopes, rows.labels, 0.3, slopes), logistic_value(rows.predictions, rows.labels));
      EXPECT_EQ(slopes, slopes_of(rows, 0.3));
    }
  });
}

TEST(LogisticKernel, SurvivesMarginsOfAnySize) {
  with_every_simd([] {
    const double huge = std::numeric_limits<double>::max();
    const Rows rows{{huge, -huge, 1e5, -1e5, 0.0, 745.0}, {1.0, 1.0, -1.0, -1.0, 1.0, 1.0}};
    EXPECT_EQ(logistic_value(rows.predictions, rows.labels), huge);
    const std::vector<double> slopes = slopes_of(rows, 1.0);
    EXPECT_NEAR(slopes[0], 0.0, 1e-300);
    EXPECT_EQ(slopes[1], -1.0);
    EXPECT_EQ(slopes[2], 1.0);
    EXPECT_NEAR(slopes[3], 0.0, 1e-300);
    EXPECT_EQ(slopes[4], -0.5);
    for (const double c : curvatures_of(rows, 1.0)) EXPECT_TRUE(c >= 0.0 && c <= 0.25);
  });
}

TEST(LogisticKernel, ALongSumOfLossesNeitherOverflowsNorDrifts) {
  const Rows rows{std::vector<double>(100000, 0.0), std::vector<double>(100000, 1.0)};
  EXPECT_NEAR(logistic_value(rows.predictions, rows.labels), 100000 * std::log(2.0), 1e-9);
}

TEST(Simd, AnUnknownNameIsRejected) { EXPECT_THROW(choose_simd("mmx2"), ConfigError); }

TEST(Simd, AChoiceIsInUseUntilTheNext) {
  with_every_simd([] {});
  EXPECT_EQ(simd_in_use(), simd_choices().front());
  choose_simd(simd_choices().back());
  EXPECT_EQ(simd_in_use(), simd_choices().back());
  choose_simd(simd_choices().front());
}

}  // namespace
}  // namespace driftless
