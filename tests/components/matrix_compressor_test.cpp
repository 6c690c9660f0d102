#include "driftless/components/compression/matrix_compressor.hpp"

#include "driftless/components/curvature/newton_direction.hpp"
#include "driftless/components/curvature/slope_interpolation.hpp"
#include "driftless/components/curvature/symmetric.hpp"
#include "driftless/core/objective.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless::test {
namespace {

using enum MatrixCompressorName;

Vector random_triangle(std::uint64_t seed, Index d) {
  Stream stream(seed, Purpose::generator);
  Vector triangle(triangle_size(d));
  for (double& entry : triangle) entry = stream.normal();
  return triangle;
}

Vector coded(const MatrixCompressor& C, const Vector& triangle, Stream& chance) {
  Vector out(triangle.size());
  C.apply(triangle, out, chance);
  return out;
}
Vector coded(const MatrixCompressor& C, const Vector& triangle) {
  Stream chance(1, Purpose::client_noise);
  return coded(C, triangle, chance);
}

TEST(Triangle, IsUnpackedIntoBothHalves) {
  const Vector triangle{{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}};
  EXPECT_EQ(unpacked(triangle, 3), (Matrix{{1.0, 2.0, 4.0}, {2.0, 3.0, 5.0}, {4.0, 5.0, 6.0}}));
  EXPECT_NEAR(frobenius_norm(triangle), unpacked(triangle, 3).norm(), 1e-14);
}

TEST(FlooredSolution, HasNoEigenvalueBelowMu) {
  const Matrix H = unpacked(random_triangle(2, 9), 9);
  const double mu = 0.3;
  Matrix inverse(9, 9);
  for (Index k = 0; k < 9; ++k) inverse.col(k) = floored_solution(H, mu, Vector::Unit(9, k));
  const Eigen::SelfAdjointEigenSolver<Matrix> floored(inverse.inverse());
  const Vector expected = Eigen::SelfAdjointEigenSolver<Matrix>(H).eigenvalues().cwiseMax(mu);
  EXPECT_LT((floored.eigenvalues() - expected).norm(), 1e-10);
}

TEST(FlooredSolution, IsPlainWhereTheMatrixIsAboveTheFloor) {
  const Matrix H = Vector::LinSpaced(5, 1.0, 9.0).asDiagonal();
  EXPECT_LT((floored_solution(H, 0.5, H * Vector::Ones(5)) - Vector::Ones(5)).norm(), 1e-14);
}

class Contractive : public testing::TestWithParam<MatrixCompressorOptions> {};

TEST_P(Contractive, LosesAtMostTheStatedShareOfTheNorm) {
  const MatrixCompressor C(GetParam());
  EXPECT_FALSE(C.unbiased());
  EXPECT_EQ(C.learning_rate(12), 1.0);
  for (const Index d : {3, 12, 90}) {
    const Vector A = random_triangle(static_cast<std::uint64_t>(d), d);
    const auto N = static_cast<double>(A.size());
    const double alpha = GetParam().compressor == top_k
                             ? static_cast<double>(kept_entries(GetParam().keep, A.size())) / N
                             : static_cast<double>(GetParam().rank) / static_cast<double>(d);
    const double lost = frobenius_norm(A - coded(C, A));
    EXPECT_LE(lost * lost, (1.0 - alpha) * std::pow(frobenius_norm(A), 2)) << "d = " << d;
    const Vector once = coded(C, A);
    EXPECT_LT((coded(C, once) - once).norm(), 1e-11 * once.norm()) << "a projection, d = " << d;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Contractive,
                         testing::Values(MatrixCompressorOptions{.compressor = top_k, .keep = 0.1},
                                         MatrixCompressorOptions{.compressor = top_k, .keep = 0.5},
                                         MatrixCompressorOptions{.compressor = rank_k, .rank = 1},
                                         MatrixCompressorOptions{.compressor = rank_k, .rank = 2}));

class Unbiased : public testing::TestWithParam<MatrixCompressorOptions> {};

TEST_P(Unbiased, HasTheRightMeanAndAtMostTheStatedVariance) {
  const MatrixCompressor C(GetParam());
  ASSERT_TRUE(C.unbiased());
  constexpr int draws = 20000;
  const Vector A = random_triangle(7, 6);
  const double omega = 1.0 / C.learning_rate(6) - 1.0;
  const double square = std::pow(frobenius_norm(A), 2);
  Stream chance(3, Purpose::client_noise);
  Vector mean = Vector::Zero(A.size());
  double variance = 0.0;
  for (int k = 0; k < draws; ++k) {
    const Vector code = coded(C, A, chance);
    mean += code / draws;
    variance += std::pow(frobenius_norm(code - A), 2) / draws;
  }
  EXPECT_LE(std::pow(frobenius_norm(mean - A), 2), 9 * omega * square / draws);
  EXPECT_LE(variance, 1.03 * omega * square);
  if (GetParam().compressor != natural) { EXPECT_GE(variance, 0.9 * omega * square); }
}

INSTANTIATE_TEST_SUITE_P(All, Unbiased,
                         testing::Values(MatrixCompressorOptions{.compressor = rand_k, .keep = 0.25},
                                         MatrixCompressorOptions{.compressor = rand_seq_k, .keep = 0.25},
                                         MatrixCompressorOptions{.compressor = natural}));

TEST(MatrixCompressor, IsExactWhereEverythingIsKept) {
  const Vector A = random_triangle(4, 10);
  for (const MatrixCompressorOptions& options :
       {MatrixCompressorOptions{.compressor = identity}, MatrixCompressorOptions{.compressor = top_k, .keep = 1.0},
        MatrixCompressorOptions{.compressor = rand_k, .keep = 1.0},
        MatrixCompressorOptions{.compressor = rand_seq_k, .keep = 1.0}})
    EXPECT_EQ(coded(MatrixCompressor(options), A), A);
  EXPECT_LT((coded(MatrixCompressor({.compressor = rank_k, .rank = 10}), A) - A).norm(), 1e-13);
}

TEST(MatrixCompressor, OfRankRFindsMatricesOfRankR) {
  const Index d = 100;  // by Lanczos's method
  const Vector u = random_triangle(5, 13).head(90).normalized();
  Vector v = Vector::Zero(d);
  v.head(90) = u;
  Vector A(triangle_size(d));
  for (Index row = 0; row < d; ++row) A.segment(triangle_size(row), row + 1) = -2.0 * v[row] * v.head(row + 1);
  EXPECT_LT((coded(MatrixCompressor({.compressor = rank_k}), A) - A).norm(), 1e-12);
}

TEST(MatrixCompressor, OfTheLargestEntriesCountsThoseOffTheDiagonalTwice) {
  const Vector A{{1.2, 1.0, 0.1}};  // (1.2, 1; 1, 0.1): 1.44 on the diagonal, 2 off it
  EXPECT_EQ(coded(MatrixCompressor({.compressor = top_k, .keep = 0.33}), A), (Vector{{0.0, 1.0, 0.0}}));
}

TEST(MatrixCompressor, StatesItsBytes) {
  // d = 20: N = 210, K = 21, indices of 8 bits
  EXPECT_EQ(MatrixCompressor({.compressor = identity}).bytes(20), 1680U);
  EXPECT_EQ(MatrixCompressor({.compressor = top_k}).bytes(20), 21U * 9U);
  EXPECT_EQ(MatrixCompressor({.compressor = rand_k}).bytes(20), 21U * 8U + 8U);
  EXPECT_EQ(MatrixCompressor({.compressor = rand_seq_k}).bytes(20), 21U * 8U + 8U);
  EXPECT_EQ(MatrixCompressor({.compressor = rank_k, .rank = 3}).bytes(20), 3U * 8U * 21U);
  EXPECT_EQ(MatrixCompressor({.compressor = natural}).bytes(20), 315U);
}

TEST(NewtonDirection, SolvesPositiveDefiniteSystems) {
  const Matrix H{{2.0, 1.0}, {1.0, 3.0}};
  const NewtonDirection d = newton_direction(H, Vector{{3.0, 4.0}});
  EXPECT_LT((d.p + Vector::Ones(2)).norm(), 1e-14);
  EXPECT_NEAR(d.slope, -7.0, 1e-13);
  EXPECT_NEAR(d.curvature, 7.0, 1e-13);
}

TEST(NewtonDirection, DoesNotDependOnTheUnitsOfVariables) {
  const Matrix H{{2.0, 1.0}, {1.0, 3.0}};
  const Vector units{{1e-6, 1e6}};
  const NewtonDirection d = newton_direction(units.asDiagonal() * H * units.asDiagonal(), Vector{{3e-6, 4e6}});
  EXPECT_LT((units.cwiseProduct(d.p) + Vector::Ones(2)).norm(), 1e-14);
}

TEST(NewtonDirection, TurnsNegativeCurvatureAround) {
  const Matrix H{{1.0, 2.0}, {2.0, 1.0}};  // eigenvalues 3 and −1
  const NewtonDirection d = newton_direction(H, Vector{{1.0, -1.0}});
  EXPECT_LT((d.p - Vector{{-1.0, 1.0}}).norm(), 1e-14);
  EXPECT_LT(d.curvature, 0.0);
}

TEST(NewtonDirection, StaysShortInTheNullSpace) {
  const Vector v{{1.0, 1.0, 0.0}};
  const NewtonDirection d = newton_direction(v * v.transpose(), v);
  EXPECT_LT((d.p + 0.5 * v).norm(), 1e-6);
  EXPECT_EQ(newton_direction(Matrix::Zero(2, 2), Vector::Ones(2)).p, -Vector::Ones(2));
}

TEST(SlopeRoot, IsExactForCubicSlopes) {
  // φ′(s) = (s − ¼)(1 + s²): −¼ and curvature 1 at 0, ³⁄₂ and ⁷⁄₂ at 1
  EXPECT_NEAR(slope_root({-0.25, 1.0}, {1.5, 3.5}), 0.25, 1e-10);
  EXPECT_EQ(slope_root({-1.0, 1.0}, {-0.5, 0.0}), 0.5);
  EXPECT_EQ(slope_root({-1.0, 1.0}, {std::numeric_limits<double>::quiet_NaN(), 0.0}), 0.1);
  EXPECT_EQ(slope_root({-1.0, 1e9}, {1e9, 1e9}), 0.05);
}

}  // namespace
}  // namespace driftless::test
