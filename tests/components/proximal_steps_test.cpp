// The steps of S-DANE and their test, against the definitions and against what the theory promises.
#include "driftless/components/similarity/proximal_steps.hpp"

#include "tests/support/testbed.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// R1: ‖∇F(y)‖ ≤ ½ λ ‖y − c‖, and no more exactly.
LocalSolver half_exact(double L, double lambda) {
  return GradientDescent{.step = 1.0 / (L + lambda),
                         .stop = {.kind = StopRule::Kind::relative, .max_steps = 100000, .tolerance = 0.5 * lambda}};
}

Vector wave(int k) {
  return Vector::NullaryExpr(12, [&](Index j) { return 2.0 * std::sin(1.0 + 7.0 * k + 3.0 * static_cast<double>(j)); });
}

struct OneStep {
  explicit OneStep(const Instance& problem) : instance(problem), bed(problem, "gd", {{"step", 0.1}}), steps(true) {
    steps.prepare(fed);
  }
  // Solves from c and tests the step.
  void take(const Vector& c, double lambda, const LocalSolver& solver) {
    steps.open(fed, fed.everyone(), c);
    steps.solve(fed, fed.everyone(), c, lambda, solver);
    steps.open_and_test(fed, c);
  }
  Vector local(std::size_t i, const Vector& c, double lambda) const {  // the exact x_i
    const Matrix F = instance.hessians[i] + lambda * Matrix::Identity(12, 12);
    return c - F.llt().solve(instance.gradient(c));
  }

  const Instance& instance;
  Testbed bed;
  Federation& fed = bed.federation();
  ProximalSteps steps;
};

TEST(ProximalStep, IsTheMeanOfTheLocalSolutions) {
  const Instance instance = random_quadratics(21);
  OneStep one(instance);
  const Vector c = wave(1);
  one.take(c, 1.5, Exact{});
  Vector x_bar = Vector::Zero(12);
  Vector g_bar = Vector::Zero(12);
  for (std::size_t i = 0; i < 5; ++i) {
    x_bar += one.local(i, c, 1.5) / 5.0;
    g_bar += instance.gradient(i, one.local(i, c, 1.5)) / 5.0;
  }
  EXPECT_LT((one.steps.mean_point() - x_bar).norm(), 1e-12);
  EXPECT_LT((one.steps.mean_gradient() - g_bar).norm(), 1e-11);
  EXPECT_LT((one.steps.mean_gradient() - 1.5 * (c - x_bar)).norm(), 1e-11) << "ḡ = λ(c − x̄) for exact solves";
}

TEST(ProximalStep, NeedsTheLambdaOfThePublishedTest) {
  const Instance instance = random_quadratics(22);
  OneStep one(instance);
  const Vector c = wave(2);
  one.take(c, 0.3, Exact{});
  const Vector& x_bar = one.steps.mean_point();
  double t = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    const Vector x_i = one.local(i, c, 0.3);
    t += (instance.gradient(i, x_i).dot(c - x_i) + instance.gradient(i, x_bar).dot(x_i - x_bar)) / 5.0;
  }
  EXPECT_NEAR(one.steps.needed(), one.steps.mean_gradient().squaredNorm() / (2.0 * t), 1e-9 * one.steps.needed());
}

TEST(ProximalStep, PassesWhereTheTheorySaysSo) {
  int failures_below = 0;
  for (std::uint64_t seed = 30; seed < 40; ++seed) {
    const Instance instance = random_quadratics(seed);
    OneStep one(instance);
    const double delta = instance.constants.delta_A;
    for (int k = 0; k < 10; ++k) {
      const double inexact = 4.0 * delta / 3.0;
      one.take(wave(k), inexact, half_exact(instance.constants.L, inexact));
      EXPECT_LE(one.steps.needed(), inexact) << "λ = 4 δ_A/3 under R1";
      one.take(wave(k), delta / std::sqrt(2.0), Exact{});
      EXPECT_LE(one.steps.needed(), delta / std::sqrt(2.0)) << "λ = δ_A/√2, solved exactly";
      one.take(wave(k), 0.02 * delta, Exact{});
      failures_below += one.steps.needed() > 0.02 * delta ? 1 : 0;
    }
  }
  EXPECT_GT(failures_below, 50) << "the test can fail";
}

// T1 ⇒ T2: f(x̄) ≤ (1/n) Σ [f_i(x_i) + ⟨∇f_i(x_i), c − x_i⟩] − ‖ḡ‖²/(2λ'), for the least λ' that passes.
TEST(ProximalStep, TestImpliesTheOneOfFunctionValues) {
  int tried = 0;
  for (std::uint64_t seed = 40; seed < 50; ++seed) {
    const Instance instance = random_quadratics(seed);
    OneStep one(instance);
    for (int k = 0; k < 10; ++k) {
      const Vector c = wave(k);
      const double lambda = 0.02 * (1 + k * k);
      one.take(c, lambda, Exact{});
      if (!std::isfinite(one.steps.needed())) continue;
      ++tried;
      double upper = -one.steps.mean_gradient().squaredNorm() / (2.0 * one.steps.needed());
      for (std::size_t i = 0; i < 5; ++i) {
        const Vector x_i = one.local(i, c, lambda);
        upper += (instance.clients[i]->value(x_i) + instance.gradient(i, x_i).dot(c - x_i)) / 5.0;
      }
      EXPECT_LE(instance.value(one.steps.mean_point()), upper + 1e-9 * std::abs(upper));
    }
  }
  EXPECT_GT(tried, 50);
}

TEST(ProximalStep, IsTestedWhereDifferencesOfFAreRounding) {
  const Instance instance = random_quadratics(51);
  OneStep one(instance);
  const double lambda = 0.5 * instance.constants.delta_A;
  const Vector far = instance.minimizer + wave(3);
  one.take(far, lambda, Exact{});
  const double needed = one.steps.needed();
  one.take(instance.minimizer + 1e-10 * wave(3), lambda, Exact{});
  EXPECT_NEAR(one.steps.needed() / needed, 1.0, 1e-2) << "the same direction, so the same λ";
}

TEST(FirstEstimatesOfAFederation, AreBetweenZeroAndL) {
  const Instance instance = random_quadratics(52);
  OneStep one(instance);
  const FirstEstimates first = one.steps.open_first(one.fed, instance.start);
  EXPECT_GT(first.lambda, 0.0);
  EXPECT_LE(first.lambda, instance.constants.L);
  EXPECT_EQ(first.mu, 0.0) << "nothing is known of quadratics";
}

TEST(FirstEstimatesOfAFederation, BoundTheLeastConvexityFromBelow) {
  const Vector zero = Vector::Zero(2);
  const auto mu = [&](const std::vector<double>& mu_i) {
    Vector means = Vector::Zero(4);
    for (const double m : mu_i) means += Vector{{1.0, 1.0, m, m * m}} / static_cast<double>(mu_i.size());
    return FirstEstimates::from(means, zero, mu_i.size()).mu;
  };
  EXPECT_NEAR(mu({0.25, 0.25, 0.25}), 0.25, 1e-7);
  EXPECT_NEAR(mu({1.0, 2.0}), 1.0, 1e-12);
  EXPECT_LE(mu({1.0, 2.0, 2.5}), 1.0);
  EXPECT_EQ(mu({0.0, 0.0, 1.0}), 0.0);
}

}  // namespace
}  // namespace driftless::test
