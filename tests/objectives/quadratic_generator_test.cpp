#include "driftless/objectives/quadratic/quadratic_generator.hpp"

#include "tests/objectives/sample_problems.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

QuadraticSpec small(QuadraticSpec spec, std::size_t dim = 60) {
  spec.dim = dim;
  return spec;
}

const std::vector<DiagonalQuadratic>& diagonal(const QuadraticProblem& p) { return std::get<0>(p.clients); }
const std::vector<RotatedQuadratic>& rotated(const QuadraticProblem& p) { return std::get<1>(p.clients); }

double largest_sample(const QuadraticProblem& p) {
  double largest = 0.0;
  for (const auto& f : diagonal(p)) largest = std::max(largest, f.curvature().maxCoeff());
  return largest;
}

double smallest_sample(const QuadraticProblem& p) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& f : diagonal(p)) smallest = std::min(smallest, f.curvature().minCoeff());
  return smallest;
}

void expect_same(const Constants& a, const Constants& b) {
  EXPECT_NEAR(a.L, b.L, 1e-9 * b.L);
  EXPECT_NEAR(a.L_f, b.L_f, 1e-9 * b.L_f);
  EXPECT_NEAR(a.mu, b.mu, 1e-9 * std::abs(b.mu));
  EXPECT_NEAR(a.mu_f, b.mu_f, 1e-9 * std::abs(b.mu_f));
  EXPECT_NEAR(a.delta_A, b.delta_A, 1e-9 * b.delta_A);
  EXPECT_NEAR(a.delta_A_up, b.delta_A_up, 1e-9 * b.delta_A_up);
  EXPECT_NEAR(a.delta_B, b.delta_B, 1e-9 * b.delta_B);
}

Vector mean_gradient(const QuadraticProblem& p, const Vector& x) {
  return std::visit(
      [&](const auto& clients) {
        Vector mean = Vector::Zero(x.size());
        for (const auto& f : clients) mean += gradient_of(f, x) / static_cast<double>(clients.size());
        return mean;
      },
      p.clients);
}

TEST(QuadraticGeneratorR2, StronglyConvexHasItsConstantsAtFullSize) {
  const QuadraticProblem p = generate_quadratic({});
  expect_same(p.constants, {.L = 100.0,
                            .L_f = 100.0,
                            .mu = 1.0,
                            .mu_f = 1.0,
                            .delta_A = 5.0 * std::sqrt(0.8),
                            .delta_A_up = 5.0,
                            .delta_B = 5.0});
  EXPECT_EQ(diagonal(p).size(), 5U);
  EXPECT_EQ(diagonal(p)[0].samples(), 10U);
  EXPECT_EQ(diagonal(p)[0].dim(), 1000);
  EXPECT_NEAR(largest_sample(p), 100.0, 1e-9);
  EXPECT_NEAR(smallest_sample(p), 1.0, 1e-9);
}

TEST(QuadraticGeneratorR2, ConvexHasPinnedSmallCurvatures) {
  const QuadraticProblem p = generate_quadratic(small({.convexity = QuadraticClass::convex}));
  const double mu = std::ldexp(1.0, -20);
  expect_same(p.constants, {.L = 100.0,
                            .L_f = 100.0,
                            .mu = mu,
                            .mu_f = mu,
                            .delta_A = 5.0 * std::sqrt(0.8),
                            .delta_A_up = 5.0,
                            .delta_B = 5.0});
  EXPECT_NEAR(largest_sample(p), 100.0, 1e-9);
}

TEST(QuadraticGeneratorR2, NonConvexHasIndefiniteSamplesAndADefiniteMean) {
  const QuadraticProblem p = generate_quadratic(small({.convexity = QuadraticClass::non_convex}, 200));
  EXPECT_NEAR(p.constants.L, 900.0, 1e-9);
  EXPECT_NEAR(p.constants.delta_B, 5.0, 1e-9);
  EXPECT_NEAR(p.constants.delta_A, 5.0 * std::sqrt(0.8), 1e-9);
  EXPECT_GE(p.constants.mu_f + 200.0, 5.0 - 1e-9);
  EXPECT_LT(smallest_sample(p), -5.0);
  EXPECT_NEAR(largest_sample(p), 100.0, 1e-9);
  EXPECT_FALSE(p.minimizer.has_value());
  EXPECT_FALSE(p.minimum.has_value());
  Vector y(200);
  EXPECT_FALSE(diagonal(p)[0].solve(nullptr, 10.0, p.start, y));
}

TEST(QuadraticGeneratorR2, NonConvexWithoutTheBoundedTermKeepsItsMinimiser) {
  const QuadraticProblem p = generate_quadratic(small({.convexity = QuadraticClass::non_convex, .beta = 0.0}));
  EXPECT_LT(smallest_sample(p), 0.0);
  EXPECT_NEAR(p.constants.L, 100.0, 1e-9);
  ASSERT_TRUE(p.minimizer.has_value());
  EXPECT_LT(mean_gradient(p, *p.minimizer).norm(), 1e-10);
}

TEST(QuadraticGeneratorR2, ConstantsFollowTheNumberOfClients) {
  for (const std::size_t n : {2U, 3U, 8U, 13U}) {
    const QuadraticProblem p =
        generate_quadratic({.clients = n, .samples = 3, .dim = 40, .L = 7.0, .mu = 0.25, .delta = 0.5, .spread = 1.0});
    const double moving = static_cast<double>(n / 2 * 2) / static_cast<double>(n);
    expect_same(p.constants, {.L = 7.0,
                              .L_f = 7.0,
                              .mu = 0.25,
                              .mu_f = 0.25,
                              .delta_A = 0.5 * std::sqrt(moving),
                              .delta_A_up = 0.5,
                              .delta_B = 0.5});
    EXPECT_EQ(diagonal(p).size(), n);
    EXPECT_EQ(diagonal(p)[0].samples(), 3U);
  }
}

TEST(QuadraticGeneratorR2, DeltaAMovesApartFromDeltaB) {
  for (const std::size_t n : {4U, 5U, 17U, 65U})
    for (const double ratio : {0.999 * std::sqrt(static_cast<double>(n) - 1.0), 1.5}) {
      const QuadraticProblem p =
          generate_quadratic({.clients = n, .samples = 3, .dim = 40, .delta = 8.0, .delta_A = 8.0 / ratio});
      EXPECT_NEAR(p.constants.delta_B, 8.0, 1e-9) << n;
      EXPECT_NEAR(p.constants.delta_A, 8.0 / ratio, 1e-9) << n;
      EXPECT_NEAR(p.constants.L, 100.0, 1e-9);
      EXPECT_NEAR(p.constants.mu, 1.0, 1e-9);
      EXPECT_LT(p.constants.delta_1, 8.0 - 1e-3) << "the last client is the one that differs";
    }
}

TEST(QuadraticGeneratorR2, AtItsLeastDeltaAAllClientsButOneAreAlikeOnThePattern) {
  const QuadraticProblem p = generate_quadratic({.clients = 17, .samples = 1, .dim = 7, .delta = 8.0, .delta_A = 2.0});
  const std::vector<DiagonalQuadratic>& clients = diagonal(p);
  for (std::size_t i = 1; i < 16; ++i)
    EXPECT_LT((clients[i].mean_curvature() - clients[0].mean_curvature()).norm(), 1e-12);
  EXPECT_NEAR((clients[16].mean_curvature() - clients[0].mean_curvature()).maxCoeff(), 8.5, 1e-12);
}

TEST(QuadraticGeneratorR2, SmallestPossibleProblemsHaveTheirConstants) {
  const QuadraticProblem odd = generate_quadratic({.clients = 3, .dim = 4});
  EXPECT_NEAR(odd.constants.delta_B, 5.0, 1e-12);
  EXPECT_NEAR(odd.constants.delta_A_up, 5.0, 1e-12);
  const QuadraticProblem even = generate_quadratic({.clients = 2, .dim = 3});
  EXPECT_NEAR(even.constants.delta_A, 5.0, 1e-12);
  const QuadraticProblem alone = generate_quadratic({.clients = 1, .samples = 1, .dim = 2});
  EXPECT_EQ(alone.constants.delta_B, 0.0);
  EXPECT_EQ(alone.constants.L, 100.0);
  EXPECT_EQ(alone.constants.mu, 1.0);
}

TEST(QuadraticGeneratorR2, SamplesDeviateBySpreadAndClientsAreCentred) {
  const QuadraticProblem p = generate_quadratic(small({}));
  Vector mean = Vector::Zero(60);
  for (const auto& f : diagonal(p)) {
    const Matrix deviation = f.curvature().colwise() - f.mean_curvature();
    EXPECT_NEAR(deviation.bottomRows(58).cwiseAbs().rowwise().maxCoeff().minCoeff(), 9.0, 1e-9);
    EXPECT_NEAR(deviation.cwiseAbs().maxCoeff(), 9.0, 1e-9);
    mean += f.mean_curvature() / 5.0;
  }
  EXPECT_GE(mean.tail(58).minCoeff(), 15.0 - 1e-9);
  EXPECT_LE(mean.tail(58).maxCoeff(), 86.0 + 1e-9);
}

TEST(QuadraticGeneratorR2, RotationKeepsConstantsAndRotatesTheGradient) {
  const QuadraticProblem plain = generate_quadratic(small({}));
  const QuadraticProblem p = generate_quadratic(small({.structure = QuadraticStructure::rotated}));
  expect_same(p.constants, plain.constants);
  EXPECT_EQ(p.start, plain.start);
  const Matrix& q = *rotated(p)[0].basis();
  EXPECT_LT((q.transpose() * q - Matrix::Identity(60, 60)).norm(), 1e-12);
  std::vector<Matrix> hessians;
  for (std::size_t i = 0; i < 5; ++i) {
    const RotatedQuadratic& f = rotated(p)[i];
    EXPECT_EQ(f.aligned().curvature(), diagonal(plain)[i].curvature());
    EXPECT_LT((q * f.aligned().centre() - diagonal(plain)[i].centre()).norm(), 1e-11);
    EXPECT_LT((gradient_of(f, p.start) - q * gradient_of(f.aligned(), q.transpose() * p.start)).norm(), 1e-9);
    EXPECT_NEAR(f.value(p.start), f.aligned().value(q.transpose() * p.start), 1e-12 * f.value(p.start));
    hessians.push_back(f.mean().hessian());
  }
  expect_same(constants_of_hessians(hessians), plain.constants);
}

TEST(QuadraticGeneratorR2, DenseMatricesHaveTheConstantsAndDoNotCommute) {
  for (const auto convexity : {QuadraticClass::strongly_convex, QuadraticClass::convex, QuadraticClass::non_convex}) {
    const QuadraticProblem p = generate_quadratic(small(
        {.convexity = convexity, .structure = QuadraticStructure::dense, .L = 50.0, .delta = 3.0, .spread = 4.0}, 40));
    std::vector<Matrix> hessians;
    for (const RotatedQuadratic& f : rotated(p)) hessians.push_back(f.mean().hessian());
    const Constants measured = constants_of_hessians(hessians);
    EXPECT_NEAR(measured.L, 50.0, 1e-9);
    EXPECT_NEAR(measured.delta_B, 3.0, 1e-9);
    if (convexity == QuadraticClass::non_convex) {
      EXPECT_GE(measured.mu_f, 3.0 - 1e-9);
    } else {
      EXPECT_NEAR(measured.mu, convexity == QuadraticClass::convex ? 0.5 * std::ldexp(1.0, -20) : 1.0, 1e-12);
    }
    EXPECT_NEAR(measured.delta_A, p.constants.delta_A, 1e-9);
    EXPECT_GT((hessians[0] * hessians[1] - hessians[1] * hessians[0]).norm(), 1.0);
    EXPECT_EQ(rotated(p)[0].samples(), 10U);
  }
}

TEST(QuadraticGeneratorR2, DenseSamplesStayBetweenMuAndL) {
  const QuadraticProblem p = generate_quadratic(small({.structure = QuadraticStructure::dense}, 30));
  for (const RotatedQuadratic& f : rotated(p)) {
    for (Index j = 0; j < 10; ++j) {
      const Matrix sample = Matrix(f.aligned().curvature().col(j).asDiagonal()) + f.coupling();
      const Vector eigenvalues = Eigen::SelfAdjointEigenSolver<Matrix>(sample).eigenvalues();
      EXPECT_NEAR(eigenvalues.minCoeff(), 1.0, 1e-9);
      EXPECT_NEAR(eigenvalues.maxCoeff(), 100.0, 1e-9);
    }
  }
}

TEST(QuadraticGenerator, MinimiserIsStationaryAndHasTheMinimum) {
  for (const auto structure : {QuadraticStructure::diagonal, QuadraticStructure::rotated, QuadraticStructure::dense}) {
    const QuadraticProblem p = generate_quadratic(small({.structure = structure}));
    ASSERT_TRUE(p.minimizer.has_value());
    EXPECT_LT(mean_gradient(p, *p.minimizer).norm(), 1e-9);
    const auto value = [&](const Vector& x) {
      return std::visit(
          [&](const auto& clients) {
            double sum = 0.0;
            for (const auto& f : clients) sum += f.value(x);
            return sum / 5.0;
          },
          p.clients);
    };
    EXPECT_EQ(value(*p.minimizer), *p.minimum);
    EXPECT_GT(value(*p.minimizer + 0.01 * random_point(1, 60)), *p.minimum);
  }
}

TEST(QuadraticGenerator, CentresAndStartFollowTheirDistributions) {
  const QuadraticProblem p = generate_quadratic(small({}, 400));
  for (const auto& f : diagonal(p)) {
    EXPECT_GE(f.centre().minCoeff(), 0.0);
    EXPECT_LT(f.centre().maxCoeff(), 10.0);
    EXPECT_NEAR(f.centre().mean(), 5.0, 0.2);
  }
  EXPECT_NEAR(p.start.mean(), 30.0, 0.25);
  EXPECT_NEAR((p.start.array() - p.start.mean()).square().mean(), 1.0, 0.3);
}

TEST(QuadraticGenerator, EverythingFollowsFromTheSeed) {
  for (const auto recipe : {QuadraticRecipe::r1, QuadraticRecipe::r2}) {
    const QuadraticProblem a = generate_quadratic(small({.recipe = recipe, .seed = 3}));
    const QuadraticProblem b = generate_quadratic(small({.recipe = recipe, .seed = 3}));
    const QuadraticProblem c = generate_quadratic(small({.recipe = recipe, .seed = 4}));
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.minimizer, b.minimizer);
    EXPECT_NE(a.start, c.start);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(diagonal(a)[i].curvature(), diagonal(b)[i].curvature());
      EXPECT_EQ(diagonal(a)[i].centre(), diagonal(b)[i].centre());
      EXPECT_NE(diagonal(a)[i].curvature(), diagonal(c)[i].curvature());
      EXPECT_NE(diagonal(a)[i].centre(), diagonal(c)[i].centre());
    }
    EXPECT_NE(diagonal(a)[0].centre(), diagonal(a)[1].centre());
  }
}

TEST(QuadraticGeneratorR1, HasConstantsInTheMeasuredRanges) {
  constexpr std::uint64_t seeds = 5;
  Constants mean;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const QuadraticProblem p = generate_quadratic({.recipe = QuadraticRecipe::r1, .seed = seed});
    EXPECT_EQ(largest_sample(p), 100.0);
    EXPECT_EQ(smallest_sample(p), 1.0);
    EXPECT_EQ(p.constants.L, 100.0);
    mean.mu += p.constants.mu / seeds;
    mean.mu_f += p.constants.mu_f / seeds;
    mean.delta_A += p.constants.delta_A / seeds;
    mean.delta_A_up += p.constants.delta_A_up / seeds;
    mean.delta_B += p.constants.delta_B / seeds;
    EXPECT_GT(p.constants.mu, 4.5) << "the eigenvalue 1 of single samples is not the mu of a client";
  }
  // The published ranges are those of five other draws; the mean of ours lies inside each.
  EXPECT_TRUE(mean.mu > 5.4 && mean.mu < 6.7) << mean.mu;
  EXPECT_TRUE(mean.mu_f > 7.4 && mean.mu_f < 9.2) << mean.mu_f;
  EXPECT_TRUE(mean.delta_A > 2.88 && mean.delta_A < 3.40) << mean.delta_A;
  EXPECT_TRUE(mean.delta_A_up > 4.69 && mean.delta_A_up < 4.92) << mean.delta_A_up;
  EXPECT_TRUE(mean.delta_B > 5.1 && mean.delta_B < 5.7) << mean.delta_B;
}

TEST(QuadraticGeneratorR1, ConvexRescalesTwentyCoordinatesAndDropsHalfTheirEntries) {
  const QuadraticProblem p = generate_quadratic(
      small({.recipe = QuadraticRecipe::r1, .convexity = QuadraticClass::convex, .clients = 20, .samples = 50}));
  double kept = 0.0;
  Vector mean = Vector::Zero(60);
  for (const auto& f : diagonal(p)) {
    kept += (f.curvature().topRows(20).array() > 0.0).cast<double>().mean() / 20.0;
    EXPECT_GT(f.curvature().bottomRows(40).minCoeff(), 0.0);
    mean += f.mean_curvature() / 20.0;
  }
  EXPECT_NEAR(kept, 0.5, 0.02);
  for (int k = 0; k < 20; ++k) EXPECT_NEAR(mean[k] / std::ldexp(1.0, k - 20), 0.5, 0.1) << "k = " << k;
}

TEST(QuadraticGeneratorR1, NonConvexAddsTheBoundedTerm) {
  const QuadraticProblem convex = generate_quadratic(small({.recipe = QuadraticRecipe::r1}));
  const QuadraticProblem p =
      generate_quadratic(small({.recipe = QuadraticRecipe::r1, .convexity = QuadraticClass::non_convex}));
  EXPECT_NEAR(p.constants.L, convex.constants.L + 800.0, 1e-9);
  EXPECT_EQ(p.constants.delta_A, convex.constants.delta_A);
  const double extra = diagonal(p)[0].value(p.start) - diagonal(convex)[0].value(p.start);
  EXPECT_NEAR(extra, 400.0 * (p.start.array().square() / (1.0 + p.start.array().square())).sum(), 1e-6);
}

TEST(QuadraticGeneratorR1, ScalesWithL) {
  const QuadraticProblem p = generate_quadratic(small({.recipe = QuadraticRecipe::r1}));
  const QuadraticProblem half = generate_quadratic(small({.recipe = QuadraticRecipe::r1, .L = 50.0}));
  EXPECT_LT((diagonal(half)[0].curvature() - 0.5 * diagonal(p)[0].curvature()).norm(), 1e-12);
}

}  // namespace
}  // namespace driftless::test
