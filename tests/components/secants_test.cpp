#include "driftless/components/similarity/secants.hpp"

#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/testbed.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

struct Secants : testing::Test {
  Instance instance = random_quadratics(3);
  Testbed bed{instance, "gd", {{"step", 0.1}}};
  Federation& fed = bed.federation();
  SecantEstimates secants;

  void SetUp() override { secants.start(fed); }
};

TEST_F(Secants, AreTheirDefinitionsOnTwoPoints) {
  const Vector c = Vector::LinSpaced(12, -1.0, 2.0);
  EXPECT_LT((secants.gradient(fed, instance.start) - instance.gradient(instance.start)).norm(), 1e-12);
  EXPECT_FALSE(secants.known());
  secants.gradient(fed, c);
  const Vector s = c - instance.start;
  const Vector D = instance.gradient(c) - instance.gradient(instance.start);
  double squares = 0.0;
  for (std::size_t i = 0; i < 5; ++i)
    squares += (instance.gradient(i, c) - instance.gradient(i, instance.start) - D).squaredNorm() / 5.0;
  EXPECT_TRUE(secants.known());
  EXPECT_NEAR(secants.smoothness(), D.norm() / s.norm(), 1e-12);
  EXPECT_NEAR(secants.convexity(), D.dot(s) / s.squaredNorm(), 1e-12);
  EXPECT_NEAR(secants.dissimilarity(), std::sqrt(squares) / s.norm(), 1e-10);
}

TEST_F(Secants, StayBelowTheConstants) {
  Vector c = instance.start;
  secants.gradient(fed, c);
  for (int k = 0; k < 50; ++k) {
    c += Vector::NullaryExpr(12, [&](Index j) { return std::sin(1.0 + 7.0 * k + 3.0 * static_cast<double>(j)); });
    secants.gradient(fed, c);
    EXPECT_LE(secants.dissimilarity(), instance.constants.delta_A * (1 + 1e-12));
    EXPECT_LE(secants.smoothness(), instance.constants.L_f * (1 + 1e-12));
    EXPECT_GE(secants.convexity(), instance.constants.mu_f * (1 - 1e-12));
  }
}

TEST_F(Secants, KeepTheirValuesWhereThePointHardlyMoves) {
  secants.gradient(fed, instance.start);
  secants.gradient(fed, 2.0 * instance.start);
  const double delta = secants.dissimilarity();
  secants.gradient(fed, 2.0 * instance.start);
  EXPECT_EQ(secants.dissimilarity(), delta);
  EXPECT_TRUE(secants.mean_gradient() == secants.gradient(fed, 2.0 * instance.start));
}

TEST_F(Secants, MeanSomethingNearTheMinimizer) {
  const Vector step = 1e-9 * Vector::LinSpaced(12, 1.0, 2.0);
  secants.gradient(fed, instance.minimizer);
  secants.gradient(fed, instance.minimizer + step);
  Matrix mean = Matrix::Zero(12, 12);
  for (const Matrix& a : instance.hessians) mean += a / 5.0;
  double squares = 0.0;
  for (const Matrix& a : instance.hessians) squares += ((a - mean) * step).squaredNorm() / 5.0;
  EXPECT_NEAR(secants.dissimilarity() / (std::sqrt(squares) / step.norm()), 1.0, 1e-3);
}

TEST_F(Secants, CostOneVectorAndOneNumber) {
  secants.gradient(fed, instance.start);
  EXPECT_EQ(fed.ledger().exchanges, 1U);
  EXPECT_EQ(fed.ledger().vectors_up, 5U);
  EXPECT_EQ(fed.ledger().scalars_up, 5U);
}

TEST(SecantsOfIdenticalClients, AreSmallButNotZero) {
  Instance same;
  for (int i = 0; i < 4; ++i)
    same.clients.push_back(make_client(DenseQuadratic(3.0 * Matrix::Identity(2, 2), Vector{{1.0, 2.0}})));
  same.start = Vector::Zero(2);
  Testbed bed(same, "gd", {{"step", 0.1}});
  SecantEstimates secants;
  secants.start(bed.federation());
  secants.gradient(bed.federation(), Vector::Zero(2));
  secants.gradient(bed.federation(), Vector::Ones(2));
  EXPECT_NEAR(secants.smoothness(), 3.0, 1e-12);
  EXPECT_GT(secants.dissimilarity(), 0.0);
  EXPECT_LE(secants.dissimilarity(), 3e-6 * (1 + 1e-9));
}

TEST(ClippedWeights, StayWithinTheFactor) {
  EXPECT_DOUBLE_EQ(clipped(100.0, 2.0), 16.0);
  EXPECT_DOUBLE_EQ(clipped(0.01, 2.0), 0.25);
  EXPECT_DOUBLE_EQ(clipped(3.0, 2.0), 3.0);
}

}  // namespace
}  // namespace driftless::test
