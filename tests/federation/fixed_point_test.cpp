// Rows as integers: their scale, their rounding, and that no sum leaves 64 bits.
#include "driftless/federation/federation.hpp"
#include "driftless/federation/fixed_point.hpp"
#include "driftless/federation/in_process_transport.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace driftless {
namespace {

std::vector<double> sum_of(const std::vector<std::vector<double>>& rows, std::vector<std::size_t> order) {
  ScaleLevel level = zero_level;
  for (const auto& row : rows) level = std::max(level, level_of(row));
  const FixedPoint fixed(rows.size());
  std::vector<double> total(rows.front().size(), 0.0);
  for (const std::size_t k : order) fixed.add(rows[k], level, total);
  fixed.decode(total, level);
  return total;
}

TEST(FixedPoint, TheLevelIsTheLeastWhoseScaleIsAboveAllEntries) {
  EXPECT_EQ(level_of(std::vector<double>{0.0, -0.0}), zero_level);
  for (const double value : {1e-300, 1e-30, 0.1, 1.0, 15.9, 16.0, 1e9, 1e150}) {
    const std::vector<double> block{0.0, -value};
    const ScaleLevel level = level_of(block);
    const FixedPoint fixed(1);
    const double scale = std::ldexp(fixed.unit(level), fixed.bits());
    EXPECT_LT(value, scale) << value;
    EXPECT_TRUE(level == 1 || value >= scale / 16.0) << value;
  }
  EXPECT_LT(level_of(std::vector<double>{1e152}), too_large_level);
  for (const double value : {1e154, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_EQ(level_of(std::vector<double>{1.0, value, 2.0}), too_large_level) << value;
}

TEST(FixedPoint, ASumByHand) {
  // With four rows there are 60 bits; entries below 2^0 have the unit 2^−60.
  const FixedPoint fixed(4);
  EXPECT_EQ(fixed.bits(), 60);
  const ScaleLevel level = level_of(std::vector<double>{0.75});
  EXPECT_EQ(fixed.unit(level), std::ldexp(1.0, -60));
  std::vector<double> total(1, 0.0);
  fixed.add(std::vector<double>{0.75}, level, total);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(total[0]), std::uint64_t{3} << 58);
  fixed.add(std::vector<double>{-0.5}, level, total);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(total[0]), std::uint64_t{1} << 58);
  fixed.decode(total, level);
  EXPECT_EQ(total[0], 0.25);
}

TEST(FixedPoint, NoSumOfTheLargestEntriesOverflows) {
  for (const std::size_t rows : {1U, 2U, 3U, 1000U, 1025U}) {
    const double largest = std::nextafter(16.0, 0.0);
    const ScaleLevel level = level_of(std::vector<double>{largest});
    const FixedPoint fixed(rows);
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> total(1, 0.0);
      for (std::size_t k = 0; k < rows; ++k) fixed.add(std::vector<double>{sign * largest}, level, total);
      fixed.decode(total, level);
      EXPECT_NEAR(total[0], sign * 16.0 * static_cast<double>(rows), 1e-12 * 16.0 * static_cast<double>(rows));
    }
  }
}

TEST(FixedPoint, ATotalDiffersFromTheExactSumByAtMostHalfAUnitForEachRow) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  for (const int exponent : {-200, -20, 0, 30, 300}) {
    std::vector<std::vector<double>> rows(37, std::vector<double>(50));
    for (auto& row : rows)
      for (double& value : row) value = std::ldexp(entry(random), exponent);
    std::vector<std::size_t> order(rows.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const std::vector<double> total = sum_of(rows, order);
    ScaleLevel level = zero_level;
    for (const auto& row : rows) level = std::max(level, level_of(row));
    const double unit = FixedPoint(rows.size()).unit(level);
    for (std::size_t k = 0; k < total.size(); ++k) {
      long double exact = 0.0L;
      for (const auto& row : rows) exact += row[k];
      EXPECT_LE(std::fabs(static_cast<double>(exact - static_cast<long double>(total[k]))),
                0.5 * unit * static_cast<double>(rows.size()) + std::fabs(total[k]) * 0x1p-53);
    }
    std::ranges::reverse(order);
    EXPECT_EQ(sum_of(rows, order), total) << "the order of integers does not matter";
  }
}

TEST(FixedPoint, ANumberThatIsNotFiniteMakesTheTotalNotANumber) {
  const std::vector<double> total = sum_of({{1.0, 2.0}, {std::nan(""), 1.0}}, {0, 1});
  EXPECT_TRUE(std::isnan(total[0]) && std::isnan(total[1]));
}

// Every block has a scale of its own: a large number beside a vector costs the vector no digits.
TEST(FixedPoint, TheBlocksOfARowDoNotDisturbEachOther) {
  struct Constant {
    static Index dim() { return 3; }
    static double value_gradient(VecIn, VecOut g) {
      g.setConstant(0.1);
      return 1e12;
    }
  };
  ClientObjectives objectives;
  for (int k = 0; k < 5; ++k) objectives.push_back(make_client(Constant{}));
  InProcessTransport transport(5);
  transport.set_summation(Summation::fixed);
  ThreadPool pool(1);
  Federation fed(objectives, transport, pool, 1);
  const Measurement measured = fed.measure(Vector::Zero(3));
  EXPECT_NEAR(measured.value, 1e12, 1e-3);
  EXPECT_NEAR(measured.gradient[0], 0.1, 1e-16);
}

}  // namespace
}  // namespace driftless
