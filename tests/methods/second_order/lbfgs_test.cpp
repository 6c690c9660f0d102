// What l-bfgs promises on whole runs; its two loops are tested in components/block_bfgs_test.cpp.
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/support/logistic_instance.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;

Instance parabola(double curvature, double start) {
  Instance instance{.start = scalar(start)};
  instance.clients.push_back(make_client(DenseQuadratic(Matrix::Constant(1, 1, curvature), scalar(0.0))));
  return instance;
}

// The first step has length 1: to −0.99, then by interpolation to 0.01 − 0.1 = −0.09, then to the minimum.
TEST(Lbfgs, RejectedTrialsAreCountedInTheRoundTheyBelongTo) {
  const Instance instance = parabola(100.0, 0.01);
  Testbed bed(instance, "l-bfgs", {});
  EXPECT_NEAR(bed.rounds(1)[0], 0.0, 1e-15);
  EXPECT_EQ(bed.federation().ledger().rounds, 1U);
  EXPECT_EQ(bed.federation().ledger().exchanges, 1U + 3U);
  EXPECT_EQ(bed.federation().busiest().gradients, 1U + 3U);
}

TEST(Lbfgs, StaysWhereNothingDescendsAndContinuesWithShorterSteps) {
  const Instance instance = parabola(1e6, 1e-6);
  Testbed bed(instance, "l-bfgs", {{"trials", std::int64_t{2}}});
  EXPECT_EQ(bed.rounds(1)[0], 1e-6);
  EXPECT_EQ(bed.federation().ledger().exchanges, 1U + 2U);
  for (int r = 0; r < 10 && bed.x()[0] == 1e-6; ++r) bed.rounds(1);
  EXPECT_LT(std::abs(bed.x()[0]), 1e-6);
}

TEST(Lbfgs, EndsOnQuadraticsAfterAboutAsManyRoundsAsVariables) {
  const Instance instance = demo_quadratics(12);
  Testbed bed(instance, "l-bfgs", {{"memory", std::int64_t{20}}});
  EXPECT_LT(instance.gradient(bed.rounds(20)).norm(), 1e-6 * instance.gradient(instance.start).norm());
  Testbed forgetful(instance, "l-bfgs", {{"memory", std::int64_t{1}}});
  EXPECT_GT(instance.gradient(forgetful.rounds(20)).norm(), 1e-6 * instance.gradient(instance.start).norm())
      << "so it is the memory that ends it";
}

TEST(Lbfgs, DoesNotDependOnTheDivisionOfTheData) {
  const Instance many = random_quadratics(84);
  Instance one{.start = many.start};
  Matrix H = Matrix::Zero(12, 12);
  for (const Matrix& h : many.hessians) H += h / static_cast<double>(many.hessians.size());
  one.clients.push_back(make_client(DenseQuadratic(H, many.minimizer)));
  Testbed divided(many, "l-bfgs", {});
  Testbed whole(one, "l-bfgs", {});
  for (int r = 0; r < 8; ++r)
    EXPECT_LT((divided.rounds(1) - whole.rounds(1)).norm(), 1e-7 * many.start.norm()) << "round " << r + 1;
}

Instance logistic(double l2) {
  return logistic_instance(generate_classification({.rows = 600, .dim = 40, .nonzeros_per_row = 8.0}, 5), 7, l2);
}

TEST(Lbfgs, TakesMostlyUnitStepsToManyDigits) {
  const Instance instance = logistic(1e-3);
  Testbed bed(instance, "l-bfgs", {});
  bed.start();
  while (bed.vector("g").norm() > 1e-12 && bed.federation().ledger().rounds < 150) bed.rounds(1);
  EXPECT_LE(instance.gradient(bed.x()).norm(), 1.1e-12);
  const Ledger& ledger = bed.federation().ledger();
  EXPECT_LE(10 * ledger.exchanges, 12 * ledger.rounds);
}

TEST(Lbfgs, NeverRaisesFAlsoWhereItIsNotConvex) {
  for (const double beta : {0.0, 2.0, 20.0}) {
    const Instance instance = non_convex_quadratics(beta);
    Testbed bed(instance, "l-bfgs", {});
    double value = instance.value(bed.x());
    for (int r = 0; r < 80; ++r) {
      const double next = instance.value(bed.rounds(1));
      EXPECT_LE(next, value + 1e-12 * (1.0 + std::abs(value))) << "round " << r + 1;
      value = next;
    }
    EXPECT_LT(instance.gradient(bed.x()).norm(), 1e-6 * instance.gradient(instance.start).norm()) << "beta = " << beta;
  }
}

// Units of single variables that differ by 10^4: κ = 10^8.
TEST(Lbfgs, ArrivesWhereColumnsAreBadlyScaled) {
  Instance instance{.start = Vector::Ones(6)};
  Vector curvature(6);
  for (Index k = 0; k < 6; ++k) curvature[k] = std::pow(10.0, 1.6 * static_cast<double>(k));
  instance.clients.push_back(make_client(DenseQuadratic(Matrix(curvature.asDiagonal()), Vector::Zero(6))));
  Testbed bed(instance, "l-bfgs", {});
  EXPECT_LT(instance.gradient(bed.rounds(300)).norm(), 1e-7);
}

TEST(Lbfgs, KeepsPairsOfPositiveCurvatureAlone) {
  const Instance instance = logistic(1e-3);
  Testbed bed(instance, "l-bfgs", {{"memory", std::int64_t{4}}});
  bed.rounds(12);
  const Vector& pairs = bed.vector("pairs");
  ASSERT_EQ(pairs.size(), 2 * 4 * 41);
  for (Index at = 0; at < pairs.size(); at += 82) EXPECT_GT(pairs.segment(at, 41).dot(pairs.segment(at + 41, 41)), 0.0);
}

}  // namespace
}  // namespace driftless::test
