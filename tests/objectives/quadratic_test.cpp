// The three quadratics beyond the contract: values against the definition, closed-form solutions, rotations.
#include "driftless/core/check.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"
#include "driftless/objectives/quadratic/rotated_quadratic.hpp"

#include "tests/objectives/sample_problems.hpp"
#include "tests/support/allocation_count.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr Index d = 6;
constexpr Index m = 4;

Matrix curvatures() { return random_matrix(31, d, m, -0.5, 3.0); }
Matrix centres() { return random_matrix(32, d, m, 0.0, 10.0); }

TEST(DiagonalQuadratic, ValueIsTheMeanOverSamplesIncludingTheConstant) {
  const double beta = 2.5;
  const DiagonalQuadratic f(curvatures(), centres(), beta);
  const Vector x = random_point(33, d, 5.0);
  double expected = 0.0;
  for (Index j = 0; j < m; ++j)
    for (Index k = 0; k < d; ++k) expected += 0.5 * curvatures()(k, j) * std::pow(x[k] - centres()(k, j), 2) / m;
  for (Index k = 0; k < d; ++k) expected += beta * x[k] * x[k] / (1.0 + x[k] * x[k]);
  EXPECT_NEAR(f.value(x), expected, 1e-13 * std::abs(expected));
}

TEST(DiagonalQuadratic, ScalarExampleIsExact) {
  const DiagonalQuadratic f(Matrix::Constant(1, 1, 3.0), Matrix::Constant(1, 1, 2.0));
  EXPECT_EQ(f.value(Vector::Zero(1)), 6.0);
  EXPECT_EQ(gradient_of(f, Vector::Zero(1))[0], -6.0);
  Vector y(1);
  ASSERT_TRUE(f.solve(nullptr, 1.0, Vector::Zero(1), y));
  EXPECT_EQ(y[0], 1.5);
}

TEST(DiagonalQuadratic, ValueKeepsSmallGapsNearTheMinimiser) {
  const Vector b = Vector::Constant(d, 1e6);
  const DiagonalQuadratic f(Matrix::Constant(d, 1, 2.0), b);
  Vector x = b;
  x[0] += 1e-3;
  EXPECT_NEAR(f.value(x), 1e-6, 1e-12) << "½x'Ax − c'x + const would lose the gap below a value of 1e12";
}

TEST(DiagonalQuadratic, HasNoClosedFormWithARegulariserOrWithoutDefiniteness) {
  Vector y(1);
  const Vector c = Vector::Ones(1);
  const DiagonalQuadratic regularised(Matrix::Ones(1, 1), Matrix::Ones(1, 1), 0.1);
  EXPECT_FALSE(regularised.solve(nullptr, 10.0, c, y));
  const DiagonalQuadratic concave(Matrix::Constant(1, 1, -1.0), Matrix::Ones(1, 1));
  EXPECT_FALSE(concave.solve(nullptr, 0.5, c, y));
  EXPECT_FALSE(concave.solve(nullptr, 1.0, c, y));
  EXPECT_TRUE(concave.solve(nullptr, 1.5, c, y));
}

TEST(DiagonalQuadratic, RejectsAnEmptyBatch) {
  const DiagonalQuadratic f(curvatures(), centres());
  Vector g(d);
  EXPECT_THROW(f.gradient(Vector::Zero(d), Batch{}, g), BrokenInvariant);
}

TEST(DenseQuadratic, ValueIsTheQuadraticFormAroundItsCentre) {
  const Matrix a = random_definite(41, d);
  const Vector b = random_point(42, d, 4.0);
  const DenseQuadratic f(a, b);
  const Vector x = random_point(43, d, 4.0);
  EXPECT_NEAR(f.value(x), 0.5 * (x - b).dot(a * (x - b)), 1e-13 * f.value(x));
  EXPECT_LT((gradient_of(f, x) - a * (x - b)).norm(), 1e-13);
}

TEST(DenseQuadratic, SolveFollowsTheFormulaAndFactorsOncePerLambda) {
  const Matrix a = random_definite(41, d);
  const Vector b = random_point(42, d, 4.0);
  const DenseQuadratic f(a, b);
  const Vector h = random_point(44, d);
  const Vector c = random_point(45, d);
  Vector y(d);
  for (const double lambda : {0.5, 0.5, 0.5}) {
    ASSERT_TRUE(f.solve(&h, lambda, c, y));
    const Matrix shifted = a + lambda * Matrix::Identity(d, d);
    EXPECT_LT((shifted * y - (a * b + h + lambda * c)).norm(), 1e-12);
  }
  EXPECT_EQ(f.factorizations(), 1U);
  ASSERT_TRUE(f.solve(&h, 2.0, c, y));
  EXPECT_EQ(f.factorizations(), 2U);
  const Matrix shifted = a + 2.0 * Matrix::Identity(d, d);
  EXPECT_LT((shifted * y - (a * b + h + 2.0 * c)).norm(), 1e-12);
}

TEST(DenseQuadratic, CopiesShareTheFactorUntilOneNeedsAnother) {
  const DenseQuadratic f(random_definite(41, d), random_point(42, d));
  const Vector c = random_point(45, d);
  Vector y(d);
  Vector again(d);
  ASSERT_TRUE(f.solve(nullptr, 0.5, c, y));
  const DenseQuadratic copy = f;
  ASSERT_TRUE(copy.solve(nullptr, 0.5, c, again));
  EXPECT_EQ(again, y);
  EXPECT_EQ(copy.factorizations(), 1U) << "the factor that was copied";
  ASSERT_TRUE(copy.solve(nullptr, 2.0, c, again));
  EXPECT_EQ(copy.factorizations(), 2U);
  ASSERT_TRUE(f.solve(nullptr, 0.5, c, again));
  EXPECT_EQ(again, y);
  EXPECT_EQ(f.factorizations(), 1U) << "the factorisation of the copy does not count for the original";
}

TEST(DenseQuadratic, WarmProductsAndSolvesAllocateNothing) {
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizer of this build replaces the allocator";
  const Index large = 520;  // cut into parts
  const DenseQuadratic f(Matrix::Identity(large, large), random_point(42, large));
  const Vector x = random_point(43, large);
  Vector g(large);
  f.gradient(x, g);
  ASSERT_TRUE(f.solve(nullptr, 0.5, x, g));
  const std::size_t before = allocations();
  for (int repeat = 0; repeat < 3; ++repeat) {
    f.gradient(x, g);
    f.value(x);
    f.solve(nullptr, 0.5, x, g);
  }
  EXPECT_EQ(allocations(), before);
}

TEST(DenseQuadratic, SolveMayOverwriteItsCentre) {
  const DenseQuadratic f(random_definite(41, d), random_point(42, d));
  const Vector c = random_point(45, d);
  Vector apart(d);
  Vector in_place = c;
  ASSERT_TRUE(f.solve(nullptr, 0.5, c, apart));
  ASSERT_TRUE(f.solve(nullptr, 0.5, in_place, in_place));
  EXPECT_EQ(apart, in_place);
}

TEST(DenseQuadratic, HasNoClosedFormWithARegulariserOrWithoutDefiniteness) {
  Vector y(2);
  const Vector c = Vector::Ones(2);
  const DenseQuadratic indefinite(Vector({{1.0, -1.0}}).asDiagonal(), c);
  EXPECT_FALSE(indefinite.solve(nullptr, 0.5, c, y));
  EXPECT_TRUE(indefinite.solve(nullptr, 1.5, c, y));
  const DenseQuadratic regularised(Matrix::Identity(2, 2), c, 1.0);
  EXPECT_FALSE(regularised.solve(nullptr, 1.5, c, y));
}

TEST(RotatedQuadratic, IsTheDiagonalOneInRotatedCoordinates) {
  const auto q = std::make_shared<const Matrix>(random_rotation(51, d));
  const RotatedQuadratic f(q, curvatures(), centres());
  const DiagonalQuadratic diagonal(curvatures(), q->transpose() * centres());
  const Vector x = random_point(52, d, 3.0);
  const Vector z = q->transpose() * x;
  EXPECT_NEAR(f.value(x), diagonal.value(z), 1e-12 * std::abs(diagonal.value(z)));
  EXPECT_LT((gradient_of(f, x) - *q * gradient_of(diagonal, z)).norm(), 1e-12);
  const std::vector<std::int32_t> batch{2, 0};
  Vector g(d);
  Vector g_diagonal(d);
  f.gradient(x, batch, g);
  diagonal.gradient(z, batch, g_diagonal);
  EXPECT_LT((g - *q * g_diagonal).norm(), 1e-12);
}

TEST(RotatedQuadratic, CoupledSamplesMatchTheirFullMatrices) {
  const auto q = std::make_shared<const Matrix>(random_rotation(51, d));
  const Matrix coupling = random_symmetric(53, d);
  const double beta = 0.8;
  const RotatedQuadratic f(q, curvatures(), centres(), coupling, beta);
  const Vector x = random_point(52, d, 3.0);
  double value = 0.0;
  Vector g(d);
  for (Index j = 0; j < m; ++j) {
    const Matrix inner = Matrix(curvatures().col(j).asDiagonal()) + coupling;
    const DenseQuadratic sample(*q * inner * q->transpose(), centres().col(j), beta);
    value += sample.value(x) / m;
    const std::vector<std::int32_t> batch{static_cast<std::int32_t>(j)};
    f.gradient(x, batch, g);
    EXPECT_LT((g - gradient_of(sample, x)).norm(), 1e-12) << "sample " << j;
  }
  EXPECT_NEAR(f.value(x), value, 1e-12 * std::abs(value));
}

}  // namespace
}  // namespace driftless::test
