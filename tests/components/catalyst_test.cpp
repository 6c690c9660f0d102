#include "driftless/components/acceleration/catalyst.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr auto both = {CatalystMomentum::constant, CatalystMomentum::variable};

TEST(Catalysts, WithoutPullChangeNothing) {
  for (const CatalystMomentum momentum : both)
    for (const double mu : {0.0, 1.0}) {
      Catalyst catalyst(0.0, mu, momentum);
      catalyst.start(scalar(2.0));
      const auto [center, lambda] = catalyst.with_pull(scalar(7.0), 3.0);
      EXPECT_EQ(center[0], 7.0);
      EXPECT_EQ(lambda, 3.0);
      EXPECT_EQ(catalyst.advance(scalar(5.0))[0], 0.0);
      EXPECT_EQ(catalyst.center()[0], 5.0) << "no momentum";
    }
}

TEST(Catalysts, JoinTwoCentresIntoOne) {
  Catalyst catalyst(3.0, 1.0, CatalystMomentum::constant);
  catalyst.start(scalar(2.0));
  const auto [center, lambda] = catalyst.with_pull(scalar(6.0), 1.0);
  EXPECT_DOUBLE_EQ(center[0], 3.0);
  EXPECT_DOUBLE_EQ(lambda, 4.0);
}

TEST(Catalysts, AgreeInBothFormsFromTheRootOfQ) {
  for (const CatalystMomentum momentum : both) {
    Catalyst catalyst(3.0, 1.0, momentum);  // √q = 1/2, β = 1/3
    catalyst.start(scalar(0.0));
    EXPECT_NEAR(catalyst.advance(scalar(3.0))[0], -12.0, 1e-12);  // κ(0 − 4)
    EXPECT_NEAR(catalyst.center()[0], 4.0, 1e-12);
    catalyst.advance(scalar(6.0));
    EXPECT_NEAR(catalyst.center()[0], 7.0, 1e-12);
  }
}

// Without convexity β_t grows towards 1, and ζ_t solves its equation.
TEST(Catalysts, SolveTheEquationOfZeta) {
  Catalyst catalyst(2.0, 0.0, CatalystMomentum::variable);
  catalyst.start(scalar(0.0));
  double z = 0.0;
  for (int t = 0; t < 50; ++t) {
    const double before = catalyst.zeta();
    catalyst.advance(scalar(z + 1.0));
    const double zeta = catalyst.zeta();
    EXPECT_NEAR(zeta * zeta + before * before * zeta - before * before, 0.0, 1e-14);
    const double beta = catalyst.center()[0] - (z + 1.0);
    EXPECT_NEAR(beta, before * (1 - before) / (before * before + zeta), 1e-12);
    EXPECT_GE(beta, t > 20 ? 0.8 : 0.0);
    z += 1.0;
  }
}

TEST(Catalysts, AddTheirPullToEveryGradient) {
  const Instance instance = random_quadratics(1);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Catalyst catalyst(2.0, 1.0, CatalystMomentum::constant);
  const Vector y = Vector::Ones(12);
  catalyst.start(y);
  const Vector x = instance.start;
  const Vector g = bed.federation().mean([&](Client& i, VecOut row) { catalyst.gradient(i, x, row); });
  EXPECT_LT((g - instance.gradient(x) - 2.0 * (x - y)).norm(), 1e-12);
}

}  // namespace
}  // namespace driftless::test
