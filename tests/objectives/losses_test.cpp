#include "driftless/objectives/losses.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(LogisticLoss, MatchesHandComputedNumbers) {
  EXPECT_DOUBLE_EQ(LogisticLoss::value(0.0, 1.0), 0.69314718055994531);   // log 2
  EXPECT_DOUBLE_EQ(LogisticLoss::value(2.0, 1.0), 0.12692801104297249);   // log(1 + e^-2)
  EXPECT_DOUBLE_EQ(LogisticLoss::value(2.0, -1.0), 2.12692801104297249);  // log(1 + e^2)
  EXPECT_DOUBLE_EQ(LogisticLoss::slope(0.0, 1.0), -0.5);
  EXPECT_DOUBLE_EQ(LogisticLoss::slope(0.0, -1.0), 0.5);
  EXPECT_DOUBLE_EQ(LogisticLoss::slope(2.0, 1.0), -0.11920292202211755);  // −1/(1 + e^2)
  EXPECT_DOUBLE_EQ(LogisticLoss::slope(2.0, -1.0), 0.88079707797788245);  // 1/(1 + e^-2)
  EXPECT_DOUBLE_EQ(LogisticLoss::curvature(0.0, 1.0), 0.25);
  EXPECT_DOUBLE_EQ(LogisticLoss::curvature(2.0, -1.0), 0.10499358540350652);  // σ(2)(1 − σ(2))
}

TEST(LogisticLoss, ExtremeMarginsNeitherOverflowNorLoseTheTail) {
  EXPECT_EQ(LogisticLoss::value(800.0, -1.0), 800.0);
  EXPECT_EQ(LogisticLoss::value(-800.0, 1.0), 800.0);
  EXPECT_EQ(LogisticLoss::value(800.0, 1.0), 0.0);
  EXPECT_EQ(LogisticLoss::slope(800.0, -1.0), 1.0);
  EXPECT_EQ(LogisticLoss::slope(-800.0, 1.0), -1.0);
  EXPECT_EQ(LogisticLoss::slope(800.0, 1.0), 0.0);
  EXPECT_EQ(LogisticLoss::curvature(800.0, 1.0), 0.0);
  EXPECT_EQ(LogisticLoss::curvature(-800.0, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(LogisticLoss::value(40.0, 1.0), std::exp(-40.0));
  EXPECT_DOUBLE_EQ(LogisticLoss::slope(40.0, 1.0), -std::exp(-40.0));
}

TEST(LogisticLoss, AcceptsOnlyPlusAndMinusOne) {
  EXPECT_TRUE(LogisticLoss::accepts(1.0));
  EXPECT_TRUE(LogisticLoss::accepts(-1.0));
  EXPECT_FALSE(LogisticLoss::accepts(0.0));
  EXPECT_FALSE(LogisticLoss::accepts(2.0));
}

TEST(SquaredLoss, IsHalfTheSquaredResidual) {
  EXPECT_EQ(SquaredLoss::value(3.0, 1.0), 2.0);
  EXPECT_EQ(SquaredLoss::slope(3.0, 1.0), 2.0);
  EXPECT_EQ(SquaredLoss::slope(1.0, 3.0), -2.0);
  EXPECT_EQ(SquaredLoss::curvature(3.0, 1.0), 1.0);
  EXPECT_FALSE(SquaredLoss::accepts(std::nan("")));
}

}  // namespace
}  // namespace driftless
