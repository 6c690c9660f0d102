// Mixing over edges: what it computes, what it counts, and what is rejected.
#include "driftless/core/check.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using Rows = std::vector<std::vector<MixingWeights::Entry>>;

// A path over three clients.
MixingWeights path() {
  return MixingWeights({{{0, 0.75}, {1, 0.25}}, {{0, 0.25}, {1, 0.5}, {2, 0.25}}, {{1, 0.25}, {2, 0.75}}});
}

class MixTest : public testing::Test {
 protected:
  PerClient<Vector> rows(double first, double second, double third) {
    PerClient<Vector> v = fed_.per_client<Vector>(Vector::Zero(2));
    v.hosted() = {Vector::Constant(2, first), Vector::Constant(2, second), Vector::Constant(2, third)};
    return v;
  }

  Instance instance_ = random_quadratics(1, 3, 2);
  InProcessTransport transport_{3};
  ThreadPool pool_{2};
  Federation fed_{instance_.clients, transport_, pool_, 1};
};

TEST_F(MixTest, GivesEveryClientTheWeightedSumOfWhatItHears) {
  PerClient<Vector> v = rows(4.0, 8.0, -16.0);
  fed_.mix(path(), v);
  EXPECT_EQ(v.hosted()[0][0], 5.0);
  EXPECT_EQ(v.hosted()[1][1], 1.0);
  EXPECT_EQ(v.hosted()[2][0], -10.0);
}

TEST_F(MixTest, IsOneExchangeWithAVectorEachWayOnEveryEdge) {
  PerClient<Vector> v = rows(1.0, 2.0, 3.0);
  fed_.mix(path(), v);
  EXPECT_EQ(fed_.ledger().exchanges, 1U);
  EXPECT_EQ(fed_.ledger().vectors_up, 4U);
  EXPECT_EQ(fed_.ledger().bytes_up, 4U * 2 * 8);
  EXPECT_EQ(fed_.ledger().vectors_down + fed_.ledger().bytes_down, 0U);
}

TEST_F(MixTest, ObservingTheMeanIsNotCounted) {
  const Vector mean = fed_.observe(rows(1.0, 2.0, 6.0));
  EXPECT_EQ(mean[1], 3.0);
  EXPECT_EQ(fed_.ledger().exchanges + fed_.ledger().messages() + fed_.ledger().bytes(), 0U);
}

TEST_F(MixTest, InsideABodyIsRejected) {
  PerClient<Vector> v = rows(1.0, 2.0, 3.0);
  EXPECT_THROW(fed_.for_each_client([&](Client&) { fed_.mix(path(), v); }), BrokenInvariant);
  EXPECT_THROW(fed_.for_each_client([&](Client&) { fed_.observe(v); }), BrokenInvariant);
}

TEST_F(MixTest, NeedsWeightsForAsManyClients) {
  PerClient<Vector> v = rows(1.0, 2.0, 3.0);
  EXPECT_THROW(fed_.mix(MixingWeights(Rows{{{0, 1.0}}}), v), BrokenInvariant);
}

TEST(Solos, ShareTheRowsOfEverybodyAsTheyAre) {
  InProcessTransport transport(3);
  const std::vector<double> mine{1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
  std::vector<double> all(6, 0.0);
  transport.share(0, mine, all);
  EXPECT_EQ(all, mine);
}

TEST(MixingWeightsTest, RejectWeightsThatWouldMoveTheMean) {
  EXPECT_THROW(MixingWeights(Rows{{{0, 0.5}, {1, 0.5}}, {{0, 0.25}, {1, 0.75}}}), BrokenInvariant);
  EXPECT_THROW(MixingWeights(Rows{{{0, 0.5}, {1, 0.25}}, {{0, 0.25}, {1, 0.5}}}), BrokenInvariant);
  EXPECT_THROW(MixingWeights(Rows{}), BrokenInvariant);
}

// (1 − ρ) is the gap between the mean and the slowest of all other directions: eigenvalues 1, 3/4, 1/4.
TEST(MixingWeightsTest, KnowTheirRho) { EXPECT_NEAR(path().rho(), 0.75, 1e-15); }

}  // namespace
}  // namespace driftless::test
