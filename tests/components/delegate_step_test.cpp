// T3 on quadratics, where D = ½ s'(Ā − A_1)s.
#include "driftless/components/similarity/delegate_step.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct DelegateSteps : testing::Test {
  static constexpr DelegateOptions third{.delegate = 2};
  Instance instance = random_quadratics(71);
  Testbed bed{instance, "gd", {{"step", 0.1}}};
  Federation& fed = bed.federation();
  Delegate delegate{third};
  DelegateStepTest test{third};
  Matrix phi = -instance.hessians[2];  // ∇²(f − f_1)

  void SetUp() override {
    for (const Matrix& a : instance.hessians) phi += a / 5.0;
    delegate.prepare(fed);
    test.prepare(fed);
  }
  DelegateStepTest::Point at(const Vector& x) {
    const VectorAndScalars g =
        fed.mean_with_scalars({fed.everyone(), fed.nobody()}, 1, [&](Client& i, VecOut row, VecOut value) {
          value[0] = i.value_gradient(x, row);
          delegate.keep(i, row);
          test.keep(i, row, value[0]);
        });
    return {.x = x, .gradient = g.vector, .value = g.scalars[0]};
  }
  void judge(const Vector& x, const Vector& x_new, double lambda) {
    const DelegateStepTest::Point from = at(x);
    test.accept(fed);
    test.judge(fed, delegate, from, at(x_new), lambda);
  }
};

TEST_F(DelegateSteps, NeedFourTimesTheDistanceOfBregman) {
  const Vector x = instance.minimizer + Vector::Ones(12);
  int failed = 0;
  for (int k = 0; k < 12; ++k) {
    const Vector s = -0.5 * Vector::Unit(12, k);
    judge(x, x + s, 1e-6);
    const double D = 0.5 * s.dot(phi * s);
    EXPECT_NEAR(test.dissimilarity(), (phi * s).norm() / s.norm(), 1e-9);
    if (D <= 0.0) continue;
    ++failed;
    EXPECT_FALSE(test.passes());
    EXPECT_NEAR(test.needed(), 4.0 * D / s.squaredNorm(), 1e-9);
  }
  EXPECT_GT(failed, 2);
}

TEST_F(DelegateSteps, PassFromTwiceTheDissimilarity) {
  const double delta_1 = phi.norm();  // at least ‖Ā − A_1‖
  const Vector x = instance.minimizer + Vector::Ones(12);
  judge(x, instance.minimizer, 2.0 * delta_1);
  EXPECT_TRUE(test.passes());
}

TEST_F(DelegateSteps, DoNotPassWhereFRises) {
  judge(instance.minimizer, instance.minimizer + Vector::Ones(12), 1e6);
  EXPECT_FALSE(test.passes());
}

TEST_F(DelegateSteps, AreTestedWhereDifferencesOfFAreRounding) {
  const Vector direction = Vector::LinSpaced(12, 1.0, -2.0);
  const Vector x = instance.minimizer + 2e-9 * direction;
  const double needed = 2.0 * direction.dot(phi * direction) / direction.squaredNorm();
  judge(x, instance.minimizer + 1e-9 * direction, std::abs(needed) * 1.01);
  EXPECT_TRUE(test.passes());
  judge(x, instance.minimizer + 1e-9 * direction, std::abs(needed) * 0.99);
  EXPECT_EQ(test.passes(), needed < 0.0);
}

}  // namespace
}  // namespace driftless::test
