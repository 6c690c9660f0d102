#include "driftless/objectives/quadratic/constants.hpp"

#include "tests/objectives/sample_problems.hpp"

#include <gtest/gtest.h>

namespace driftless::test {
namespace {

void expect_close(const Constants& a, const Constants& b, double tolerance) {
  EXPECT_NEAR(a.L, b.L, tolerance);
  EXPECT_NEAR(a.L_f, b.L_f, tolerance);
  EXPECT_NEAR(a.mu, b.mu, tolerance);
  EXPECT_NEAR(a.mu_f, b.mu_f, tolerance);
  EXPECT_NEAR(a.delta_A, b.delta_A, tolerance);
  EXPECT_NEAR(a.delta_A_up, b.delta_A_up, tolerance);
  EXPECT_NEAR(a.delta_B, b.delta_B, tolerance);
}

Matrix three_spectra() {
  Matrix spectra(2, 3);
  spectra << 3, -1, -2, 2, 1, -3;
  return spectra;
}

TEST(Constants, ThreeMatrixExampleSeparatesBothAverages) {
  const Constants c = constants_of_spectra(three_spectra());
  EXPECT_NEAR(c.delta_A * c.delta_A, 14.0 / 3.0, 1e-14);
  EXPECT_NEAR(c.delta_A_up * c.delta_A_up, 19.0 / 3.0, 1e-14);
  EXPECT_EQ(c.delta_B, 3.0);
  EXPECT_EQ(c.L, 3.0);
  EXPECT_EQ(c.mu, -3.0);
  EXPECT_EQ(c.L_f, 0.0);
  EXPECT_EQ(c.mu_f, 0.0);
}

TEST(Constants, LIsANormEvenWhereTheMostNegativeEigenvalueIsLarger) {
  Matrix spectra(2, 1);
  spectra << -5, 2;
  const Constants c = constants_of_spectra(spectra);
  EXPECT_EQ(c.L, 5.0);
  EXPECT_EQ(c.L_f, 5.0);
  EXPECT_EQ(c.mu, -5.0);
}

TEST(Constants, DecompositionAgreesWithSpectraInACommonBasis) {
  const Matrix spectra = random_matrix(5, 6, 4, -1.0, 3.0);
  const Matrix q = random_rotation(6, 6);
  std::vector<Matrix> hessians;
  for (Index i = 0; i < spectra.cols(); ++i) hessians.push_back(q * spectra.col(i).asDiagonal() * q.transpose());
  expect_close(constants_of_hessians(hessians), constants_of_spectra(spectra), 1e-13);
}

TEST(Constants, DissimilaritiesAreOrdered) {
  std::vector<Matrix> hessians;
  for (std::uint64_t i = 0; i < 5; ++i) hessians.push_back(random_definite(i, 8));
  const Constants c = constants_of_hessians(hessians);
  EXPECT_GT(c.delta_A, 0.0);
  EXPECT_LT(c.delta_A, c.delta_A_up);
  EXPECT_LT(c.delta_A_up, c.delta_B);
  EXPECT_LE(c.delta_B, std::sqrt(5.0) * c.delta_A);
  EXPECT_LE(c.delta_B, c.L);
  EXPECT_LE(c.L_f, c.L);
  EXPECT_GE(c.mu_f, c.mu);
}

TEST(Constants, ScalarExampleIsExact) {
  Matrix spectra(1, 2);
  spectra << 1, 3;
  expect_close(constants_of_spectra(spectra),
               {.L = 3, .L_f = 2, .mu = 1, .mu_f = 2, .delta_A = 1, .delta_A_up = 1, .delta_B = 1}, 0.0);
}

TEST(Constants, RegulariserWidensCurvatureAndLeavesDissimilarity) {
  const Constants plain = constants_of_spectra(three_spectra());
  const Constants c = with_bounded_regularizer(plain, 400.0);
  EXPECT_EQ(c.L, plain.L + 800.0);
  EXPECT_EQ(c.L_f, plain.L_f + 800.0);
  EXPECT_EQ(c.mu, plain.mu - 200.0);
  EXPECT_EQ(c.mu_f, plain.mu_f - 200.0);
  EXPECT_EQ(c.delta_A, plain.delta_A);
  EXPECT_EQ(c.delta_B, plain.delta_B);
}

}  // namespace
}  // namespace driftless::test
