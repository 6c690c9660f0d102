#include "driftless/components/compression/compressor.hpp"

#include "tests/support/allocation_count.hpp"
#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

using enum CompressorName;

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector normal_vector(std::uint64_t seed, Index d) {
  Stream stream(seed, Purpose::generator);
  Vector v(d);
  for (double& entry : v) entry = stream.normal();
  return v;
}

Vector coded(const Compressor& C, const Vector& v, std::uint64_t seed = 1, std::uint64_t client = 0,
             std::uint64_t round = 0) {
  Stream chance(seed, Purpose::client_noise, client, round);
  Vector out(v.size());
  C.apply(v, out, chance);
  return out;
}

double squared_error(const Vector& code, const Vector& v) { return (code - v).squaredNorm(); }

struct Case {
  std::string title;
  CompressorOptions options;
};

class UnbiasedCompressor : public testing::TestWithParam<Case> {};

// Over N draws the mean error has E‖mean − v‖² ≤ ω‖v‖²/N; nine times that is exceeded with chance below 1/9 for any
// law, and for these, whose entries are nearly independent, hardly ever. The seeds are fixed.
TEST_P(UnbiasedCompressor, HasTheRightMeanAndAtMostTheStatedVariance) {
  const Compressor C(GetParam().options);
  ASSERT_TRUE(C.unbiased());
  constexpr int draws = 20000;
  for (const Index d : {1, 7, 40}) {
    const Vector v = normal_vector(static_cast<std::uint64_t>(d), d);
    const double omega = C.omega(d);
    Vector mean = Vector::Zero(d);
    double variance = 0.0;
    Stream chance(2, Purpose::client_noise);
    Vector code(d);
    for (int k = 0; k < draws; ++k) {
      C.apply(v, code, chance);
      mean += code / draws;
      variance += squared_error(code, v) / draws;
    }
    EXPECT_LE(squared_error(mean, v), 9 * omega * v.squaredNorm() / draws + 1e-20) << "d = " << d;
    EXPECT_LE(variance, 1.03 * omega * v.squaredNorm() + 1e-20) << "d = " << d;
    EXPECT_DOUBLE_EQ(C.alpha(d), 1.0 / (1.0 + omega));
  }
}

INSTANTIATE_TEST_SUITE_P(All, UnbiasedCompressor,
                         testing::Values(Case{"Identity", {}}, Case{"RandK", {.compressor = rand_k, .keep = 0.3}},
                                         Case{"Natural", {.compressor = natural}},
                                         Case{"QsgdCoarse", {.compressor = qsgd, .levels = 1}},
                                         Case{"QsgdFine", {.compressor = qsgd, .levels = 20}}),
                         [](const auto& c) { return c.param.title; });

TEST(RandK, HasExactlyTheStatedVariance) {
  const Compressor C({.compressor = rand_k, .keep = 0.25});
  const Vector v = normal_vector(3, 40);
  double variance = 0.0;
  Stream chance(4, Purpose::client_noise);
  Vector code(40);
  for (int k = 0; k < 20000; ++k) {
    C.apply(v, code, chance);
    variance += squared_error(code, v) / 20000;
    ASSERT_EQ((code.array() != 0.0).count(), 10);
  }
  EXPECT_NEAR(variance, 3.0 * v.squaredNorm(), 0.03 * 3.0 * v.squaredNorm());
}

TEST(TopK, KeepsTheLargestEntriesAndTheFirstOfEqualOnes) {
  const Compressor C({.compressor = top_k, .keep = 0.5});
  const Vector v{{1.0, -2.0, 2.0, 0.5, -3.0, 2.0}};
  EXPECT_EQ(coded(C, v), (Vector{{0.0, -2.0, 2.0, 0.0, -3.0, 0.0}}));
}

TEST(TopK, IsAProjectionAndContracts) {
  for (const Index d : {1, 2, 7, 40})
    for (const double keep : {0.01, 0.3, 0.5, 1.0}) {
      const Compressor C({.compressor = top_k, .keep = keep});
      EXPECT_FALSE(C.unbiased());
      EXPECT_THROW(static_cast<void>(C.omega(d)), BrokenInvariant);
      const Vector v = normal_vector(static_cast<std::uint64_t>(d), d);
      const Vector code = coded(C, v);
      EXPECT_EQ((code.array() != 0.0).count(), kept_entries(keep, d));
      EXPECT_EQ(coded(C, code), code);
      EXPECT_LE(squared_error(code, v), (1.0 - C.alpha(d)) * v.squaredNorm() * (1 + 1e-12));
      const Vector equal = Vector::Ones(d);  // the worst case
      EXPECT_NEAR(squared_error(coded(C, equal), equal), (1.0 - C.alpha(d)) * static_cast<double>(d), 1e-12);
    }
}

// The mean of C(v)/(1 + ω) − v over the draws, as what EF21-type methods ask of a compressor.
TEST(UnbiasedCompressors, AreContractiveWhenScaled) {
  for (const CompressorOptions& options :
       {CompressorOptions{.compressor = rand_k, .keep = 0.25}, CompressorOptions{.compressor = qsgd, .levels = 2}}) {
    const Compressor C(options);
    const Vector v = normal_vector(5, 40);
    double error = 0.0;
    Stream chance(6, Purpose::client_noise);
    Vector code(40);
    for (int k = 0; k < 5000; ++k) {
      C.apply(v, code, chance);
      error += squared_error(C.alpha(40) * code, v) / 5000;
    }
    EXPECT_LE(error, 1.03 * (1.0 - C.alpha(40)) * v.squaredNorm());
  }
}

TEST(Compressors, AreExactIfEveryEntryIsKept) {
  const Vector v = normal_vector(7, 33);
  EXPECT_EQ(coded(Compressor(), v), v);
  EXPECT_EQ(coded(Compressor({.compressor = top_k, .keep = 1.0}), v), v);
  EXPECT_EQ(coded(Compressor({.compressor = rand_k, .keep = 1.0}), v), v);
  EXPECT_EQ(Compressor({.compressor = top_k, .keep = 1.0}).alpha(33), 1.0);
  EXPECT_EQ(Compressor({.compressor = rand_k, .keep = 1.0}).omega(33), 0.0);
}

TEST(NaturalCompressor, YieldsSignedPowersOfTwoWithinAFactorOfTwo) {
  const Compressor C({.compressor = natural});
  const Vector v = normal_vector(8, 500);
  const Vector code = coded(C, v);
  for (Index j = 0; j < v.size(); ++j) {
    int exponent = 0;
    EXPECT_EQ(std::abs(std::frexp(code[j], &exponent)), 0.5) << v[j];
    EXPECT_EQ(std::signbit(code[j]), std::signbit(v[j]));
    EXPECT_LE(std::abs(code[j]), 2 * std::abs(v[j]));
    EXPECT_GE(2 * std::abs(code[j]), std::abs(v[j]));
  }
  const Vector powers{{1.0, -0.25, 1024.0, -0x1p-1022, 0x1p1023}};
  EXPECT_EQ(coded(C, powers), powers);
}

TEST(NaturalCompressor, StaysInTheRangeOfItsCode) {
  const Compressor C({.compressor = natural});
  constexpr double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(coded(C, Vector{{largest, -largest}}), (Vector{{0x1p1023, -0x1p1023}}));
  const Vector half = Vector::Constant(2000, 0x1p-1023);  // half the least power: up in half the cases
  const Vector code = coded(C, half);
  EXPECT_TRUE((code.array() == 0.0 || code.array() == 0x1p-1022).all());
  EXPECT_NEAR(static_cast<double>((code.array() != 0.0).count()), 1000.0, 5 * std::sqrt(500.0));
}

TEST(Qsgd, YieldsLevelsOfTheNorm) {
  const Compressor C({.compressor = qsgd, .levels = 3});
  const Vector v = normal_vector(9, 50);
  const Vector code = coded(C, v);
  for (Index j = 0; j < v.size(); ++j) {
    const double level = 3 * code[j] / v.norm();
    EXPECT_NEAR(level, std::round(level), 1e-12);
    EXPECT_LT(std::abs(level - 3 * v[j] / v.norm()), 1.0);
  }
}

TEST(Compressors, BearZeroTinyHugeAndDivergedVectors) {
  for (const CompressorName name : {identity, top_k, rand_k, natural, qsgd}) {
    const Compressor C({.compressor = name, .keep = 0.5});
    const Vector zero = Vector::Zero(6);
    EXPECT_EQ(coded(C, zero), zero);
    EXPECT_TRUE(coded(C, Vector::Constant(6, 5e-324)).allFinite());
    EXPECT_TRUE(coded(C, Vector::Constant(6, 1e300)).allFinite());
    EXPECT_FALSE(coded(C, Vector::Constant(6, infinity)).allFinite());
    EXPECT_FALSE(coded(C, Vector::Constant(6, std::nan(""))).allFinite());
  }
  const Compressor top({.compressor = top_k, .keep = 0.5});
  EXPECT_TRUE(std::isnan(coded(top, Vector{{1.0, std::nan(""), 3.0, 2.0}})[1])) << "what diverged is seen";
}

TEST(Compressors, TakeTheBytesWrittenDown) {
  const auto bytes = [](const CompressorOptions& options, Index d) { return Compressor(options).bytes(d); };
  EXPECT_EQ(bytes({}, 1000), 8000U);
  EXPECT_EQ(bytes({.compressor = top_k, .keep = 0.01}, 1000), 80U + 13U) << "10 values, 10 indices of 10 bits";
  EXPECT_EQ(bytes({.compressor = top_k, .keep = 1.0}, 1), 8U);
  EXPECT_EQ(bytes({.compressor = top_k, .keep = 0.01}, 1024), 80U + 13U);
  EXPECT_EQ(bytes({.compressor = top_k, .keep = 0.01}, 1025), 80U + 14U) << "indices of 11 bits";
  EXPECT_EQ(bytes({.compressor = rand_k, .keep = 0.01}, 1000), 80U + 8U);
  EXPECT_EQ(bytes({.compressor = natural}, 1000), 1500U);
  EXPECT_EQ(bytes({.compressor = natural}, 3), 5U);
  EXPECT_EQ(bytes({.compressor = qsgd, .levels = 1}, 1000), 8U + 250U);
  EXPECT_EQ(bytes({.compressor = qsgd, .levels = 3}, 1000), 8U + 375U);
  EXPECT_EQ(bytes({.compressor = qsgd, .levels = 4}, 1000), 8U + 500U);
}

TEST(Compressors, KeepAtLeastOneAndAtMostAllEntries) {
  EXPECT_EQ(kept_entries(1e-9, 100), 1);
  EXPECT_EQ(kept_entries(0.256, 100), 26);
  EXPECT_EQ(kept_entries(1.0, 100), 100);
}

TEST(Compressors, DependOnSeedClientAndRoundAlone) {
  for (const CompressorName name : {rand_k, natural, qsgd}) {
    const Compressor C({.compressor = name, .keep = 0.5});
    const Vector v = normal_vector(10, 100);
    const Vector code = coded(C, v, 1, 2, 3);
    EXPECT_EQ(coded(C, v, 1, 2, 3), code);
    EXPECT_NE(coded(C, v, 9, 2, 3), code);
    EXPECT_NE(coded(C, v, 1, 9, 3), code);
    EXPECT_NE(coded(C, v, 1, 2, 9), code);
  }
}

TEST(Compressors, AllocateNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "sanitizers bring their own allocator";
  const Vector v = normal_vector(11, 100);
  Vector code(100);
  Stream chance(1, Purpose::client_noise);
  for (const CompressorName name : {identity, top_k, rand_k, natural, qsgd}) {
    const Compressor C({.compressor = name});
    const std::size_t before = allocations();
    C.apply(v, code, chance);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace driftless::test
