#include "driftless/privacy/clipping.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/random.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

Vector random_row(Index dim, double size, Stream& chance) {
  Vector row(dim);
  for (double& entry : row) entry = size * chance.normal();
  return row;
}

__extension__ using Quad = __float128;

Quad square_of(const Vector& row) {
  Quad sum = 0;
  for (const double entry : row) sum += static_cast<Quad>(entry) * entry;
  return sum;
}

TEST(Clip, LeavesShortRowsAlone) {
  Vector row{{0.3, -0.4}};
  EXPECT_EQ(clip(row, 0.6), 1.0);
  EXPECT_EQ(row, (Vector{{0.3, -0.4}}));
  Vector zero = Vector::Zero(3);
  EXPECT_EQ(clip(zero, 1.0), 1.0);
}

TEST(Clip, KeepsTheDirectionOfLongRows) {
  Vector row{{3.0, -4.0}};
  EXPECT_NEAR(clip(row, 1.0), 0.2, 1e-14);
  EXPECT_NEAR(row[0], 0.6, 1e-14);
  EXPECT_NEAR(row[1], -0.8, 1e-14);
}

// In four times the digits, since the sensitivity rests on it.
TEST(Clip, NoRowIsLongerThanTheBoundAfterRounding) {
  Stream chance(1, Purpose::client_noise);
  for (const double size : {1e-3, 1.0, 1e9, 1e200})
    for (const Index dim : {1, 2, 7, 1000})
      for (int k = 0; k < 50; ++k) {
        Vector row = random_row(dim, size, chance);
        const double bound = chance.uniform(0.1, 2.0);
        const bool shorter = square_of(row) <= static_cast<Quad>(bound) * bound * 0.99;
        clip(row, bound);
        EXPECT_TRUE(square_of(row) <= static_cast<Quad>(bound) * bound);
        EXPECT_TRUE(shorter || row.norm() >= bound * (0.99 - 1e-9));
      }
}

TEST(Clip, RowsAtTheBoundStayWithinIt) {
  Stream chance(2, Purpose::client_noise);
  for (int k = 0; k < 1000; ++k) {
    Vector row = random_row(20, 1.0, chance);
    row *= 0.7 / row.norm();
    clip(row, 0.7);
    EXPECT_TRUE(square_of(row) <= static_cast<Quad>(0.7) * 0.7);
  }
}

TEST(Clip, RowsWithoutAFiniteNormBecomeZero) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Vector row{{1.0, bad, 2.0}};
    EXPECT_EQ(clip(row, 1.0), 0.0);
    EXPECT_EQ(row, Vector::Zero(3));
  }
}

TEST(Clip, HugeAndTinyRowsAreScaledWithoutOverflow) {
  Vector huge = Vector::Constant(4, 1e308);
  clip(huge, 1.0);
  EXPECT_NEAR(huge.norm(), 1.0, 1e-12);
  Vector tiny = Vector::Constant(4, 5e-324);
  EXPECT_EQ(clip(tiny, 1.0), 1.0);
}

double rounded_to_nearest(double x, double unit) { return unit * std::round(x / unit); }

TEST(RoundingBound, NearestIsReachedAndNeverExceeded) {
  const double unit = 0.25;
  Stream chance(3, Purpose::client_noise);
  for (int k = 0; k < 2000; ++k) {
    Vector row = random_row(12, 1.0, chance);
    clip(row, 0.9);
    for (double& entry : row) entry = rounded_to_nearest(entry, unit);
    EXPECT_LE(row.norm(), nearest_rounding_bound(0.9, unit, 12));
  }
  const double bound = 0.5 * unit * std::sqrt(12.0);
  Vector worst = Vector::Constant(12, 0.5 * unit);
  for (double& entry : worst) entry = rounded_to_nearest(entry, unit);
  EXPECT_NEAR(worst.norm(), nearest_rounding_bound(bound, unit, 12), 1e-12);
}

TEST(RoundingBound, RandomizedIsExceededAsSeldomAsItSays) {
  const double unit = 0.2;
  const Index dim = 400;
  const double beta = 0.6;
  Stream chance(4, Purpose::client_noise);
  Vector row = random_row(dim, 1.0, chance);
  clip(row, 1.0);
  const double bound = randomized_rounding_bound(1.0, unit, dim, beta);
  EXPECT_LT(bound, 1.0 + unit * std::sqrt(static_cast<double>(dim)));
  int beyond = 0;
  constexpr int repetitions = 2000;
  for (int k = 0; k < repetitions; ++k) {
    double square = 0.0;
    for (const double entry : row) {
      const double low = unit * std::floor(entry / unit);
      const double rounded = chance.bernoulli((entry - low) / unit) ? low + unit : low;
      square += rounded * rounded;
    }
    beyond += square > bound * bound;
  }
  EXPECT_LT(beyond, beta * repetitions);
}

TEST(RoundingBound, CoarseLatticesUseTheBoundThatAlwaysHolds) {
  EXPECT_DOUBLE_EQ(randomized_rounding_bound(1.0, 100.0, 1, 1e-9), 101.0);
}

TEST(RoundingBound, RejectsWhatIsNoLattice) {
  Vector row = Vector::Ones(2);
  EXPECT_THROW(clip(row, 0.0), ConfigError);
  EXPECT_THROW(nearest_rounding_bound(1.0, 0.0, 2), ConfigError);
  EXPECT_THROW(randomized_rounding_bound(1.0, 1.0, 2, 1.0), ConfigError);
}

}  // namespace
}  // namespace driftless
