// The check of derivatives of an own objective: right ones pass, and the usual mistakes are named.
#include "driftless/driftless.hpp"

#include "tests/support/expect_error.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

using testing::HasSubstr;

// f(x) = Σ_j c_j (e^{x_j} − x_j x_0), with a mistake in the derivative that the test asks for.
struct Exponential {
  Index size = 5;
  double sign = 1.0;            // −1: the gradient has the wrong sign
  Index wrong_variable = -1;    // the gradient of this variable lacks its factor
  double hessian_factor = 1.0;  // 2: the Hessian products are twice too large
  double value_offset = 0.0;    // of `value` against `value_gradient`

  Index dim() const { return size; }
  double value(VecIn x) const { return exact(x) + value_offset; }
  double value_gradient(VecIn x, VecOut g) const {
    g.setZero();
    for (Index j = 0; j < size; ++j) {
      g[j] += weight(j) * (std::exp(x[j]) - x[0]);
      g[0] -= weight(j) * x[j];
    }
    g *= sign;
    if (wrong_variable >= 0) g[wrong_variable] *= 0.5;
    return exact(x);
  }
  void hessian_vector(VecIn x, VecIn v, VecOut hv) const {
    hv.setZero();
    for (Index j = 0; j < size; ++j) {
      hv[j] += weight(j) * (std::exp(x[j]) * v[j] - v[0]);
      hv[0] -= weight(j) * v[j];
    }
    hv *= hessian_factor;
  }

 private:
  static double weight(Index j) { return 1.0 + 0.25 * static_cast<double>(j); }
  double exact(VecIn x) const {
    double sum = 0.0;
    for (Index j = 0; j < size; ++j) sum += weight(j) * (std::exp(x[j]) - x[j] * x[0]);
    return sum;
  }
};
static_assert(TwiceDifferentiable<Exponential>);

TEST(CheckGradient, RightDerivativesAgreeWithDifferences) {
  const GradientCheck check = check_gradient(Exponential{});
  EXPECT_TRUE(check.passed()) << check.brief();
  ASSERT_EQ(check.comparisons.size(), 4U);  // gradient, gradient alone, value alone, Hessian product
  for (const GradientCheck::Comparison& c : check.comparisons) EXPECT_LT(c.error, 1e-8) << c.derivative;
  EXPECT_THAT(check.brief(), HasSubstr("Hessian product: agrees"));
}

TEST(CheckGradient, NamesTheVariableWhoseDerivativeIsWrong) {
  const GradientCheck check = check_gradient(Exponential{.wrong_variable = 3});
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.comparisons.front().variable, 3);
  EXPECT_NEAR(check.comparisons.front().expected, 2.0 * check.comparisons.front().given, 1e-6);
  EXPECT_THAT(check.brief(), HasSubstr("gradient: WRONG, largest error"));
  EXPECT_THAT(check.brief(), HasSubstr("at variable 3"));
}

TEST(CheckGradient, FindsAWrongSign) {
  const GradientCheck check = check_gradient(Exponential{.sign = -1.0});
  EXPECT_FALSE(check.passed());
  EXPECT_NEAR(check.comparisons.front().error, 2.0, 0.01);
}

TEST(CheckGradient, FindsWrongHessianProducts) {
  const GradientCheck check = check_gradient(Exponential{.hessian_factor = 2.0});
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.comparisons.back().derivative, "Hessian product");
  EXPECT_GT(check.comparisons.back().error, 0.4);
  EXPECT_LT(check.comparisons.front().error, 1e-8);
}

TEST(CheckGradient, FindsAValueThatIsNotThatOfValueGradient) {
  const GradientCheck check = check_gradient(Exponential{.value_offset = 0.5});
  EXPECT_FALSE(check.passed());
  EXPECT_THAT(check.brief(), HasSubstr("value without the gradient: WRONG"));
}

TEST(CheckGradient, ComparesSomeVariablesOfMany) {
  const Exponential many{.size = 5000};
  EXPECT_TRUE(check_gradient(many, {.variables = 20}).passed());
  EXPECT_FALSE(check_gradient(Exponential{.size = 5000, .sign = -1.0}, {.variables = 20}).passed());
}

TEST(CheckGradient, AGradientThatIsNoNumberFails) {
  const Vector x = Vector::Constant(5, 1e4);  // e^x overflows
  const GradientCheck check = check_gradient(Exponential{}, x);
  EXPECT_FALSE(check.passed());
  EXPECT_EQ(check.comparisons.front().error, std::numeric_limits<double>::infinity());
}

TEST(CheckGradient, RejectsAPointOfAnotherSize) {
  const Vector x = Vector::Zero(3);
  expect_error<ConfigError>([&] { check_gradient(Exponential{}, x); }, {"3 entries, 5 variables"});
}

}  // namespace
}  // namespace driftless::test
