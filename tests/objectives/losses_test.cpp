#include "driftless/objectives/linear/losses.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

template <class Loss>
double value(double t, double y) {
  return Loss::value({&t, 1}, {&y, 1});
}
template <class Loss>
double slope(double t, double y) {
  Loss::slopes({&t, 1}, {&y, 1}, 1.0);
  return t;
}
template <class Loss>
double curvature(double t) {
  Loss::curvatures({&t, 1}, 1.0);
  return t;
}

TEST(LogisticLoss, MatchesHandComputedNumbers) {
  EXPECT_DOUBLE_EQ(value<LogisticLoss>(0.0, 1.0), 0.69314718055994531);   // log 2
  EXPECT_DOUBLE_EQ(value<LogisticLoss>(2.0, 1.0), 0.12692801104297249);   // log(1 + e^-2)
  EXPECT_DOUBLE_EQ(value<LogisticLoss>(2.0, -1.0), 2.12692801104297249);  // log(1 + e^2)
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(0.0, 1.0), -0.5);
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(0.0, -1.0), 0.5);
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(2.0, 1.0), -0.11920292202211755);  // −1/(1 + e^2)
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(2.0, -1.0), 0.88079707797788245);  // 1/(1 + e^-2)
  EXPECT_DOUBLE_EQ(curvature<LogisticLoss>(0.0), 0.25);
  EXPECT_DOUBLE_EQ(curvature<LogisticLoss>(2.0), 0.10499358540350652);  // σ(2)(1 − σ(2))
}

TEST(LogisticLoss, ExtremeMarginsNeitherOverflowNorLoseTheTail) {
  EXPECT_EQ(value<LogisticLoss>(800.0, -1.0), 800.0);
  EXPECT_EQ(value<LogisticLoss>(-800.0, 1.0), 800.0);
  EXPECT_EQ(value<LogisticLoss>(800.0, 1.0), 0.0);
  EXPECT_EQ(slope<LogisticLoss>(800.0, -1.0), 1.0);
  EXPECT_EQ(slope<LogisticLoss>(-800.0, 1.0), -1.0);
  EXPECT_EQ(slope<LogisticLoss>(800.0, 1.0), 0.0);
  EXPECT_EQ(curvature<LogisticLoss>(800.0), 0.0);
  EXPECT_EQ(curvature<LogisticLoss>(-800.0), 0.0);
  EXPECT_DOUBLE_EQ(value<LogisticLoss>(40.0, 1.0), std::exp(-40.0));
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(40.0, 1.0), -std::exp(-40.0));
}

TEST(LogisticLoss, AcceptsOnlyPlusAndMinusOne) {
  EXPECT_TRUE(LogisticLoss::accepts(1.0));
  EXPECT_TRUE(LogisticLoss::accepts(-1.0));
  EXPECT_FALSE(LogisticLoss::accepts(0.0));
  EXPECT_FALSE(LogisticLoss::accepts(2.0));
}

TEST(SquaredLoss, IsHalfTheSquaredResidual) {
  EXPECT_EQ(value<SquaredLoss>(3.0, 1.0), 2.0);
  EXPECT_EQ(slope<SquaredLoss>(3.0, 1.0), 2.0);
  EXPECT_EQ(slope<SquaredLoss>(1.0, 3.0), -2.0);
  EXPECT_EQ(curvature<SquaredLoss>(3.0), 1.0);
  EXPECT_FALSE(SquaredLoss::accepts(std::nan("")));
}

}  // namespace
}  // namespace driftless
