#include "driftless/components/server/armijo.hpp"

#include "driftless/components/server/hessian_solve.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct AtZero {  // f(0) = 3, f'(0) = −3, f = (x − 3/2)² + 3/4
  Vector x = scalar(0);
  Vector gradient = scalar(-3);
  PointOfDescent point() const { return {x, 3.0, gradient}; }
};

TEST(ArmijosRule, TakesTheFirstStepThatDescendsEnough) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  const AtZero zero;
  EXPECT_EQ(armijo_step(fed, {}, zero.point(), scalar(1)), scalar(1));
  EXPECT_EQ(armijo_step(fed, {}, zero.point(), scalar(8)), scalar(2));
  EXPECT_EQ(fed.ledger().exchanges, 2U);
  EXPECT_EQ(fed.ledger().scalars_up, 2U * 2 * 11);
  EXPECT_EQ(fed.busiest().gradients, 22U);
}

TEST(ArmijosRule, HalvesOnWhereNoneOfTheFirstStepsDescends) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  const AtZero zero;
  EXPECT_EQ(armijo_step(fed, {.halvings = 3}, zero.point(), scalar(1024)), scalar(2));
  EXPECT_EQ(fed.ledger().exchanges, 2U);
  EXPECT_EQ(fed.ledger().scalars_up, 2U * (4 + 20)) << "the first four steps, then twenty more";
}

TEST(ArmijosRule, FollowsTheGradientWhereTheDirectionAscends) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  const AtZero zero;
  EXPECT_EQ(armijo_step(fed, {.halvings = 3}, zero.point(), scalar(-1)), scalar(1)) << "as long as p, downwards";
  EXPECT_EQ(fed.ledger().exchanges, 2U);
}

TEST(ArmijosRule, StaysWhereNothingDescends) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  const Vector x = scalar(1.5);  // the minimiser, with a gradient that is not its own
  const Vector wrong = scalar(-3);
  EXPECT_EQ(armijo_step(bed.federation(), {.halvings = 3}, {x, 0.5, wrong}, scalar(1)), scalar(0));
}

TEST(ArmijosRule, AsksNobodyForFullSteps) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  EXPECT_EQ(armijo_step(bed.federation(), {.halvings = 0}, AtZero().point(), scalar(8)), scalar(8));
  EXPECT_EQ(bed.federation().ledger().exchanges, 0U);
}

TEST(HessianSolve, InvertsTheShiftedHessianOfAClient) {
  const Instance instance = random_quadratics(3);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  const Vector g = instance.start;
  bed.federation().for_each_client([&](Client& i) {
    Vector p(g.size());
    solve_hessian(i, instance.start, g, 2.0, p, {});
    EXPECT_LT((instance.hessians[i.id()] * p + 2.0 * p - g).norm(), 1e-9 * g.norm());
  });
  EXPECT_EQ(bed.federation().busiest().steps, 1U);
  EXPECT_LE(bed.federation().busiest().gradients, 13U);
}

}  // namespace
}  // namespace driftless::test
