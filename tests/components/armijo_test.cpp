#include "driftless/components/server/armijo.hpp"

#include "driftless/components/server/hessian_solve.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(ArmijosRule, TakesTheFirstStepThatDescendsEnough) {
  const Instance instance = toy();  // f(0) = 3, f'(0) = −3, f = (x − 3/2)² + 3/4
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  EXPECT_EQ(armijo_step(fed, {}, scalar(0), scalar(1), 3.0, -3.0), 1.0);
  EXPECT_EQ(armijo_step(fed, {}, scalar(0), scalar(8), 3.0, -24.0), 0.25);
  EXPECT_EQ(fed.ledger().exchanges, 2U);
  EXPECT_EQ(fed.ledger().scalars_up, 2U * 2 * 11);
  EXPECT_EQ(fed.busiest().gradients, 22U);
}

TEST(ArmijosRule, TakesTheLeastValueIfNothingDescends) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  EXPECT_EQ(armijo_step(bed.federation(), {.halvings = 3}, scalar(0), scalar(-1), 3.0, -3.0), 0.125);
}

TEST(ArmijosRule, AsksNobodyForFullSteps) {
  const Instance instance = toy();
  Testbed bed(instance, "gd", {{"step", 0.1}});
  EXPECT_EQ(armijo_step(bed.federation(), {.halvings = 0}, scalar(0), scalar(8), 3.0, -24.0), 1.0);
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
