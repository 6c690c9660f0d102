#include "driftless/rules/delegate.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(Delegates, SolveTheCorrectedProblemOfTheirOwnLoss) {
  const Instance instance = random_quadratics(2);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  Delegate delegate({.delegate = 3});
  delegate.start(fed);
  const Vector& c = instance.start;
  const Vector g = delegate.gradient(fed, c);
  EXPECT_LT((g - instance.gradient(c)).norm(), 1e-12);
  const Vector x = delegate.prox(fed, c, g, 2.0, Exact{});
  const Vector zero = instance.gradient(3, x) + g - instance.gradient(3, c) + 2.0 * (x - c);
  EXPECT_LT(zero.norm(), 1e-11);
}

TEST(Delegates, CostOneExchangeForGradientAndSolve) {
  const Instance instance = random_quadratics(2);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  Delegate delegate({.delegate = 3});
  delegate.start(fed);
  const Vector g = delegate.gradient(fed, instance.start);
  delegate.prox(fed, instance.start, g, 2.0, Exact{});
  EXPECT_EQ(fed.ledger().exchanges, 1U);
  EXPECT_EQ(fed.ledger().vectors_up, 5U);
  EXPECT_EQ(fed.ledger().vectors_down, 5U);
  EXPECT_EQ(fed.tally(3).steps, 1U);
  EXPECT_EQ(fed.tally(0).steps, 0U) << "the others do not work";
}

TEST(Delegates, MustExist) {
  const Instance instance = random_quadratics(2);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Delegate delegate({.delegate = 5});
  EXPECT_THROW(delegate.start(bed.federation()), ConfigError);
}

}  // namespace
}  // namespace driftless::test
