// The steps that local and distributed Newton's method share.
#include "driftless/solvers/newton_step.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// F(y) = Σ_k a_k log cosh(y_k) + ½ b ‖y‖², whose full Newton steps overshoot far from 0; it counts its calls.
struct LogCosh {
  Vector a;
  double b;
  std::size_t points = 0;
  std::size_t products = 0;

  double value_gradient(VecIn y, Vector& g) {
    ++points;
    g = a.array() * y.array().tanh() + b * y.array();
    return (a.array() * y.array().cosh().log()).sum() + 0.5 * b * y.squaredNorm();
  }
  void hessian_vector(VecIn y, const Vector& u, Vector& hu) {
    ++products;
    hu = (a.array() / y.array().cosh().square() + b) * u.array();
  }
};

struct At {
  At(const LogCosh& f, const Vector& start) : target(f), y(start), value(target.value_gradient(y, g)) {}

  LogCosh target;
  Vector y;
  Workspace scratch{2};
  Vector g = Vector::Zero(2);
  double forcing = NewtonRule{}.forcing;
  double value;

  bool step(const NewtonRule& rule = {}) { return newton_step(target, y, {value, g, forcing}, rule, scratch); }
};

TEST(NewtonStep, ThatIsFullCostsOnePointBesidesItsProducts) {
  At at{{Vector::Constant(2, 1.0), 0.5}, Vector::Constant(2, 0.3)};
  at.scratch.pairs().begin(10);
  ASSERT_TRUE(at.step());
  EXPECT_EQ(at.target.products, 1U) << "F is the same in both coordinates";
  EXPECT_EQ(at.target.points, 2U) << "the start, and the new point";
  // By hand: 0.3 − (tanh 0.3 + 0.15)/(1/cosh² 0.3 + 0.5).
  const double expected = 0.3 - (std::tanh(0.3) + 0.15) / (1.0 / std::pow(std::cosh(0.3), 2) + 0.5);
  EXPECT_NEAR(at.y[0], expected, 1e-15);
  Vector g(2);
  EXPECT_EQ(at.value, at.target.value_gradient(at.y, g));
  EXPECT_EQ(at.g, g);
}

TEST(NewtonStep, IsHalvedUntilFFalls) {
  At at{{Vector::Constant(2, 1.0), 1e-3}, Vector::Constant(2, 2.0)};
  at.scratch.pairs().begin(10);
  const double before = at.value;
  ASSERT_TRUE(at.step());
  EXPECT_LT(at.value, before);
  EXPECT_EQ(at.target.points, 1U + 3U) << "the full step lands at −11, half of it at −4.7, a quarter at −1.4";
  At short_of{{Vector::Constant(2, 1.0), 1e-3}, Vector::Constant(2, 2.0)};
  EXPECT_FALSE(short_of.step({.halvings = 1}));
  EXPECT_EQ(short_of.y, Vector::Constant(2, 2.0));
  EXPECT_EQ(short_of.value, before);
}

TEST(NewtonStep, StopsAtOnceWhereFIsFlatToRounding) {
  At at{{Vector::Constant(2, 1.0), 0.5}, Vector::Zero(2)};
  EXPECT_FALSE(at.step()) << "a stationary point";
  EXPECT_EQ(at.target.points, 1U);
  at.g = Vector::Constant(2, 1e-12);
  at.value = -1.0;  // lower than F is anywhere, as rounding may have it
  EXPECT_FALSE(at.step());
  EXPECT_EQ(at.target.points, 2U);
}

TEST(NewtonStep, SolvesNoFurtherThanItsGoalAsksFor) {
  const auto products = [](double enough) {
    At at{{Vector::LinSpaced(2, 1.0, 9.0), 0.5}, Vector::Constant(2, 0.1)};
    at.scratch.pairs().begin(10);
    at.forcing = 1e-6;
    at.step({.enough = enough});
    return at.target.products;
  };
  EXPECT_EQ(products(0.0), 2U);
  EXPECT_EQ(products(0.5), 1U);
}

TEST(NewtonStep, ForcingFollowsTheModelAndFallsNoFasterThanItsSafeguard) {
  EXPECT_EQ(detail::next_forcing(0.1, 0.02, 0.7), 0.02) << "0.1^1.5 is below 0.1";
  EXPECT_EQ(detail::next_forcing(0.1, 0.0, 0.7), 1e-3);
  EXPECT_EQ(detail::next_forcing(0.1, 5.0, 0.7), 0.7);
  EXPECT_EQ(detail::next_forcing(1e-6, 0.0, 1e-6), 1e-6);
  EXPECT_NEAR(detail::next_forcing(0.7, 0.02, 0.7), std::pow(0.7, 1.5), 1e-15);
  At at{{Vector::Constant(2, 1.0), 0.5}, Vector::Constant(2, 0.3)};
  ASSERT_TRUE(at.step({.adaptive = false}));
  EXPECT_EQ(at.forcing, 0.7);
}

}  // namespace
}  // namespace driftless::test
