// The streams: reproducible for ever, independent of each other, and with the laws they claim.
#include "driftless/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <vector>

namespace driftless {
namespace {

constexpr int draws = 40000;

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

template <class Draw>
Moments moments(Draw draw) {
  double sum = 0.0;
  double squares = 0.0;
  for (int k = 0; k < draws; ++k) {
    const double v = draw();
    sum += v;
    squares += v * v;
  }
  const double mean = sum / draws;
  return {mean, squares / draws - mean * mean};
}

// Known answers published with the generator.
TEST(Philox, GivesThePublishedAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  const std::uint32_t ones = 0xffffffffU;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
}

// Runs of earlier versions must be repeatable: these bits may never change.
TEST(Stream, YieldsTheBitsItAlwaysDid) {
  Stream stream(1, Purpose::coin, 2, 3);
  const std::vector<std::uint64_t> expected{8245805387908786843U, 6789329125268447473U, 7491692457137808245U};
  for (const std::uint64_t bits : expected) EXPECT_EQ(stream.bits(), bits);
}

TEST(Stream, DiffersBySeedPurposeClientAndRound) {
  const std::set<std::uint64_t> firsts{Stream(1, Purpose::coin).bits(),       Stream(2, Purpose::coin).bits(),
                                       Stream(1, Purpose::batch).bits(),      Stream(1, Purpose::coin, 1).bits(),
                                       Stream(1, Purpose::coin, 0, 1).bits(), Stream(1, Purpose::coin, 1, 1).bits()};
  EXPECT_EQ(firsts.size(), 6U);
}

TEST(Stream, UniformFillsTheUnitInterval) {
  Stream stream(1, Purpose::generator);
  const Moments m = moments([&] {
    const double u = stream.uniform();
    EXPECT_GE(u, 0.0);
    EXPECT_LT(u, 1.0);
    return u;
  });
  EXPECT_NEAR(m.mean, 0.5, 0.006);
  EXPECT_NEAR(m.variance, 1.0 / 12, 0.003);
}

TEST(Stream, NormalHasMeanZeroAndVarianceOne) {
  Stream stream(2, Purpose::generator);
  const Moments m = moments([&] { return stream.normal(); });
  EXPECT_NEAR(m.mean, 0.0, 0.02);
  EXPECT_NEAR(m.variance, 1.0, 0.03);
}

TEST(Stream, GammaHasMeanAndVarianceOfItsShape) {
  for (const double shape : {0.1, 0.5, 1.0, 3.0}) {
    Stream stream(3, Purpose::split);
    const Moments m = moments([&] { return stream.gamma(shape); });
    EXPECT_NEAR(m.mean, shape, 4 * std::sqrt(shape / draws));
    EXPECT_NEAR(m.variance, shape, 0.15 * std::max(shape, 0.5));
  }
}

TEST(Stream, BernoulliHasItsProbability) {
  Stream stream(4, Purpose::coin);
  const Moments m = moments([&] { return stream.bernoulli(0.3) ? 1.0 : 0.0; });
  EXPECT_NEAR(m.mean, 0.3, 0.01);
  EXPECT_TRUE(Stream(4, Purpose::coin).bernoulli(1.0));
  EXPECT_FALSE(Stream(4, Purpose::coin).bernoulli(0.0));
}

TEST(Stream, IndexReachesEveryValueEquallyOften) {
  Stream stream(5, Purpose::client_index);
  std::vector<int> hits(7, 0);
  for (int k = 0; k < 7000; ++k) ++hits[stream.index(7)];
  for (const int count : hits) EXPECT_NEAR(count, 1000, 130);
  EXPECT_THROW(stream.index(0), std::logic_error);
}

TEST(Stream, ShuffleIsAPermutation) {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  Stream(6, Purpose::split).shuffle(std::span(items));
  EXPECT_NE(items[0] + items[1] + items[2], 3);
  std::sort(items.begin(), items.end());
  for (int k = 0; k < 100; ++k) EXPECT_EQ(items[static_cast<std::size_t>(k)], k);
}

}  // namespace
}  // namespace driftless
