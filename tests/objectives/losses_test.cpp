// Losses: hand-computed numbers for each, and a contract that covers every loss of the catalogue.
#include "driftless/objectives/linear/loss_catalog.hpp"

#include "tests/objectives/log_cosh_loss.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

template <class Loss>
double value(double t, double y) {
  return Loss::value({&t, 1}, {&y, 1});
}
template <class Loss>
double slope(double t, double y, double weight = 1.0) {
  Loss::slopes({&t, 1}, {&y, 1}, weight);
  return t;
}
template <class Loss>
double curvature(double t, double y, double weight = 1.0) {
  Loss::curvatures({&t, 1}, {&y, 1}, weight);
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
  EXPECT_DOUBLE_EQ(curvature<LogisticLoss>(0.0, 1.0), 0.25);
  EXPECT_DOUBLE_EQ(curvature<LogisticLoss>(2.0, -1.0), 0.10499358540350652);  // σ(2)(1 − σ(2))
}

TEST(LogisticLoss, ExtremeMarginsNeitherOverflowNorLoseTheTail) {
  EXPECT_EQ(value<LogisticLoss>(800.0, -1.0), 800.0);
  EXPECT_EQ(value<LogisticLoss>(-800.0, 1.0), 800.0);
  EXPECT_EQ(value<LogisticLoss>(800.0, 1.0), 0.0);
  EXPECT_EQ(slope<LogisticLoss>(800.0, -1.0), 1.0);
  EXPECT_EQ(slope<LogisticLoss>(-800.0, 1.0), -1.0);
  EXPECT_EQ(slope<LogisticLoss>(800.0, 1.0), 0.0);
  EXPECT_EQ(curvature<LogisticLoss>(800.0, 1.0), 0.0);
  EXPECT_EQ(curvature<LogisticLoss>(-800.0, 1.0), 0.0);
  EXPECT_DOUBLE_EQ(value<LogisticLoss>(40.0, 1.0), std::exp(-40.0));
  EXPECT_DOUBLE_EQ(slope<LogisticLoss>(40.0, 1.0), -std::exp(-40.0));
}

TEST(SquaredLoss, IsHalfTheSquaredResidual) {
  EXPECT_EQ(value<SquaredLoss>(3.0, 1.0), 2.0);
  EXPECT_EQ(slope<SquaredLoss>(3.0, 1.0), 2.0);
  EXPECT_EQ(slope<SquaredLoss>(1.0, 3.0), -2.0);
  EXPECT_EQ(curvature<SquaredLoss>(3.0, 1.0), 1.0);
}

TEST(LogCoshLoss, MatchesHandComputedNumbers) {
  EXPECT_DOUBLE_EQ(value<test::RealLogCosh>(1.5, 0.5), 0.43378083048302719);      // log cosh 1
  EXPECT_DOUBLE_EQ(slope<test::RealLogCosh>(1.5, 0.5), 0.76159415595576489);      // tanh 1
  EXPECT_DOUBLE_EQ(curvature<test::RealLogCosh>(1.5, 0.5), 0.41997434161402603);  // 1/cosh² 1
}

TEST(Labels, OfALossAreBinaryOrFinite) {
  EXPECT_TRUE(is_label(Labels::binary, 1.0));
  EXPECT_TRUE(is_label(Labels::binary, -1.0));
  EXPECT_FALSE(is_label(Labels::binary, 0.0));
  EXPECT_FALSE(is_label(Labels::binary, 2.0));
  EXPECT_TRUE(is_label(Labels::real, -2.5));
  EXPECT_FALSE(is_label(Labels::real, std::nan("")));
  EXPECT_FALSE(is_label(Labels::real, INFINITY));
}

TEST(LossCatalog, HasOneEntryForEachLossOfTheList) {
  ASSERT_EQ(loss_catalog().size(), std::tuple_size_v<Losses>);
  EXPECT_EQ(loss_catalog()[0].name, LogisticLoss::name);
  EXPECT_EQ(loss_catalog()[0].labels, Labels::binary);
  EXPECT_EQ(loss_catalog()[1].name, SquaredLoss::name);
  EXPECT_TRUE(loss_catalog()[1].constant_curvature);
}

// What every loss must do, over predictions on a grid and typical labels.
template <class Loss>
class LossContract : public testing::Test {
 protected:
  template <class Check>
  static void for_all(const Check& check) {
    const std::vector<double> labels =
        Loss::labels == Labels::binary ? std::vector{-1.0, 1.0} : std::vector{-3.0, -1.0, 0.0, 0.5, 2.0};
    for (const double y : labels) {
      ASSERT_TRUE(is_label(Loss::labels, y));
      for (int k = -40; k <= 40; ++k) {
        const double t = 0.25 * k;
        SCOPED_TRACE("t = " + std::to_string(t) + ", y = " + std::to_string(y));
        check(t, y);
      }
    }
  }
};

template <class List>
struct WithToys;
template <class... Loss>
struct WithToys<std::tuple<Loss...>> {
  using Types = testing::Types<Loss..., test::RealLogCosh, test::BinaryLogCosh>;
};
TYPED_TEST_SUITE(LossContract, WithToys<Losses>::Types);

TYPED_TEST(LossContract, SlopesAndCurvaturesAreDerivativesOfTheValue) {
  const double h = 1e-5;
  this->for_all([&](double t, double y) {
    EXPECT_NEAR(slope<TypeParam>(t, y), (value<TypeParam>(t + h, y) - value<TypeParam>(t - h, y)) / (2.0 * h), 1e-7);
    EXPECT_NEAR(curvature<TypeParam>(t, y), (slope<TypeParam>(t + h, y) - slope<TypeParam>(t - h, y)) / (2.0 * h),
                1e-7);
  });
}

TYPED_TEST(LossContract, OnePassGivesTheSameValueAndSlopes) {
  this->for_all([](double t, double y) {
    double both = t;
    EXPECT_EQ(TypeParam::value_slopes({&both, 1}, {&y, 1}, 3.0), value<TypeParam>(t, y));
    EXPECT_EQ(both, slope<TypeParam>(t, y, 3.0));
  });
}

TYPED_TEST(LossContract, WeightsMultiplySlopesAndCurvatures) {
  this->for_all([](double t, double y) {
    EXPECT_DOUBLE_EQ(slope<TypeParam>(t, y, 2.0), 2.0 * slope<TypeParam>(t, y));
    EXPECT_DOUBLE_EQ(curvature<TypeParam>(t, y, 2.0), 2.0 * curvature<TypeParam>(t, y));
  });
}

TYPED_TEST(LossContract, ValuesAddUpOverRows) {
  const std::vector<double> t{0.5, -2.0, 3.0};
  const std::vector<double> y{1.0, -1.0, -1.0};
  double sum = 0.0;
  for (std::size_t j = 0; j < t.size(); ++j) sum += value<TypeParam>(t[j], y[j]);
  EXPECT_NEAR(TypeParam::value(t, y), sum, 1e-14);
}

TYPED_TEST(LossContract, CurvaturesAreAsStated) {
  double largest = 0.0;
  this->for_all([&](double t, double y) {
    const double c = curvature<TypeParam>(t, y);
    largest = std::max(largest, c);
    EXPECT_LE(c, TypeParam::curvature * (1.0 + 1e-15));
    EXPECT_TRUE(!TypeParam::convex || c >= 0.0);
    EXPECT_TRUE(!TypeParam::constant_curvature || c == TypeParam::curvature);
    EXPECT_TRUE(t != 0.0 || c >= TypeParam::curvature_at_zero * (1.0 - 1e-15));
  });
  EXPECT_GE(largest, 0.99 * TypeParam::curvature) << "a smaller bound would do";
}

}  // namespace
}  // namespace driftless
