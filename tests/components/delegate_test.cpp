#include "driftless/components/server/delegate_geometry.hpp"

#include "tests/support/testbed.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

TEST(Delegates, SolveTheCorrectedProblemOfTheirOwnLoss) {
  const Instance instance = random_quadratics(2);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Federation& fed = bed.federation();
  Delegate delegate({.delegate = 3});
  delegate.prepare(fed);
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
  delegate.prepare(fed);
  const Vector g = delegate.gradient(fed, instance.start);
  delegate.prox(fed, instance.start, g, 2.0, Exact{});
  EXPECT_EQ(fed.ledger().exchanges, 1U);
  EXPECT_EQ(fed.ledger().vectors_up, 5U);
  EXPECT_EQ(fed.ledger().vectors_down, 5U);
  EXPECT_EQ(fed.tally(3).steps, 1U);
  EXPECT_EQ(fed.tally(0).steps, 0U) << "the others do not work";
}

struct DelegateGeometries : testing::Test {
  const double mu_phi = 2.0;
  Instance instance = random_quadratics(2);
  Testbed bed{instance, "gd", {{"step", 0.1}}};
  Federation& fed = bed.federation();
  Delegate delegate{{.delegate = 3}};
  DelegateGeometry phi{delegate, mu_phi};
  Vector v = instance.start;
  Vector y = Vector::Ones(12);
  Vector s = Vector::LinSpaced(12, -1.0, 1.0);
  DelegateGeometry::From from{v, y, 0.25};

  void SetUp() override {
    delegate.prepare(fed);
    phi.prepare(fed);
    delegate.gradient(fed, y);
  }
  Vector mirror_gradient(const Vector& x) const { return instance.gradient(3, x) + mu_phi * x; }  // ∇φ
  double D(const Vector& p, const Vector& q) const {
    return 0.5 * (p - q).dot(instance.hessians[3] * (p - q)) + 0.5 * mu_phi * (p - q).squaredNorm();
  }
};

// ∇φ(v⁺) = (1 − β)∇φ(v) + β∇φ(y) − s
TEST_F(DelegateGeometries, StepInTheMirror) {
  const Vector v_new = phi.mirror_step(fed, from, s, Exact{});
  const Vector expected = 0.75 * mirror_gradient(v) + 0.25 * mirror_gradient(y) - s;
  EXPECT_LT((mirror_gradient(v_new) - expected).norm(), 1e-10);
}

TEST_F(DelegateGeometries, MeasureWithTheLossOfTheDelegateForFree) {
  const Vector v_new = phi.mirror_step(fed, from, s, Exact{});
  const Vector x_new = 0.5 * (v_new + y);
  const Ledger before = fed.ledger();
  const auto [W, d, rounding] = phi.distances(fed, from, v_new, x_new);
  EXPECT_NEAR(W, 0.75 * D(v_new, v) + 0.25 * D(v_new, y), 1e-9);
  EXPECT_NEAR(d, D(x_new, y), 1e-9);
  EXPECT_GT(rounding, 0.0);
  EXPECT_EQ(fed.ledger().exchanges, before.exchanges);
  EXPECT_EQ(fed.ledger().scalars_up + fed.ledger().scalars_down, 0U);
}

TEST(Delegates, MustExist) {
  const Instance instance = random_quadratics(2);
  Testbed bed(instance, "gd", {{"step", 0.1}});
  Delegate delegate({.delegate = 5});
  EXPECT_THROW(delegate.prepare(bed.federation()), ConfigError);
}

}  // namespace
}  // namespace driftless::test
