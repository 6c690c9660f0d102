#include "driftless/solvers/curvature_pairs.hpp"

#include "driftless/core/random.hpp"
#include "driftless/solvers/conjugate_gradients.hpp"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr Index dim = 8;

Vector random_vector(std::uint64_t seed) {
  Stream stream(seed, Purpose::generator);
  Vector v(dim);
  for (double& entry : v) entry = stream.normal();
  return v;
}

Matrix positive_definite(std::uint64_t seed) {
  Matrix a(dim, dim);
  for (Index k = 0; k < dim; ++k) a.col(k) = random_vector(seed + static_cast<std::uint64_t>(k));
  return a * a.transpose() + Matrix::Identity(dim, dim);
}

// Solves H v = b while it fills the pairs; returns the products that took.
std::size_t products(CurvaturePairs& pairs, const Matrix& h, const Vector& b, double tolerance = 1e-8) {
  pairs.make_preconditioner(nullptr);
  Vector v(dim), r = b, u(dim), hu(dim), s(dim);
  const auto product = [&](const Vector& in, Vector& out) {
    out = h * in;
    pairs.add(in, out);
  };
  const auto precondition = [&](const Vector& in, Vector& out) { pairs.solve(in, out); };
  return conjugate_gradients(product, precondition, {v, r, u, hu, s}, {.max_steps = 100, .tolerance = tolerance}).steps;
}

Matrix inverse_of(CurvaturePairs& pairs) {
  Matrix inverse(dim, dim);
  Vector s(dim);
  for (Index k = 0; k < dim; ++k) {
    pairs.solve(Vector::Unit(dim, k), s);
    inverse.col(k) = s;
  }
  return inverse;
}

TEST(CurvaturePairs, OfAWholeRunMakeTheNextEndInOneStep) {
  const Matrix h = positive_definite(1);
  CurvaturePairs pairs;
  pairs.begin(20);
  EXPECT_GE(products(pairs, h, random_vector(30)), static_cast<std::size_t>(dim));
  EXPECT_LE(products(pairs, h, random_vector(31), 1e-4), 1U) << "P is H";
}

TEST(CurvaturePairs, MakeAPositiveInverseThatMapsTheNewestProductBack) {
  const Matrix h = positive_definite(2);
  CurvaturePairs pairs;
  pairs.begin(5);
  for (std::uint64_t k = 0; k < 5; ++k) pairs.add(random_vector(40 + k), h * random_vector(40 + k));
  pairs.make_preconditioner(nullptr);
  const Matrix inverse = inverse_of(pairs);
  EXPECT_LT((inverse - inverse.transpose()).norm(), 1e-12);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(inverse).eigenvalues().minCoeff(), 0.0);
  EXPECT_LT((inverse * h * random_vector(44) - random_vector(44)).norm(), 1e-10);
}

// One pair along an axis of curvature 4: P = diag(4, γ, …) with γ = 4, and with a diagonal D relative to that.
TEST(CurvaturePairs, ScaleTheirBaseToTheFlattestPair) {
  CurvaturePairs pairs;
  pairs.begin(3);
  pairs.make_preconditioner(nullptr);
  EXPECT_EQ(inverse_of(pairs), Matrix::Identity(dim, dim)) << "nothing is known yet";
  pairs.add(Vector::Unit(dim, 0), 4.0 * Vector::Unit(dim, 0));
  pairs.make_preconditioner(nullptr);
  EXPECT_LT((inverse_of(pairs) - 0.25 * Matrix::Identity(dim, dim)).norm(), 1e-15);
  pairs.add(Vector::Unit(dim, 1), 2.0 * Vector::Unit(dim, 1));
  Vector diagonal = Vector::Constant(dim, 8.0);
  diagonal[7] = -16.0;
  pairs.make_preconditioner(&diagonal);
  Vector expected = Vector::Constant(dim, 0.5);
  expected[0] = 0.25;
  expected[7] = 0.25;
  EXPECT_LT((inverse_of(pairs) - Matrix(expected.asDiagonal())).norm(), 1e-15) << "2/8 of |D|";
}

TEST(CurvaturePairs, DoNotChangeUntilThePreconditionerIsMadeAgain) {
  const Matrix h = positive_definite(3);
  CurvaturePairs pairs;
  pairs.begin(3);
  for (std::uint64_t k = 0; k < 5; ++k) pairs.add(random_vector(50 + k), h * random_vector(50 + k));
  pairs.make_preconditioner(nullptr);
  const Matrix before = inverse_of(pairs);
  for (std::uint64_t k = 0; k < 5; ++k) pairs.add(random_vector(60 + k), h * random_vector(60 + k));
  EXPECT_EQ(inverse_of(pairs), before);
  pairs.make_preconditioner(nullptr);
  EXPECT_NE(inverse_of(pairs), before);
}

TEST(CurvaturePairs, LeaveOutWhatHasNoPositiveCurvature) {
  CurvaturePairs pairs;
  pairs.begin(3);
  pairs.add(Vector::Unit(dim, 0), -2.0 * Vector::Unit(dim, 0));
  pairs.add(Vector::Unit(dim, 0), Vector::Zero(dim));
  pairs.make_preconditioner(nullptr);
  EXPECT_EQ(inverse_of(pairs), Matrix::Identity(dim, dim));
}

TEST(CurvaturePairs, ArePackedAndUnpackedWithTheSameBits) {
  const Matrix h = positive_definite(4);
  CurvaturePairs pairs;
  pairs.begin(4);
  for (const std::uint64_t run : {70U, 80U}) products(pairs, h, random_vector(run), 1e-2);
  CurvaturePairs again;
  again.begin(4);
  again.unpack(pairs.packed(), dim);
  EXPECT_EQ(again.packed(), pairs.packed());
  pairs.make_preconditioner(nullptr);
  again.make_preconditioner(nullptr);
  EXPECT_EQ(inverse_of(again), inverse_of(pairs));
}

TEST(CurvaturePairs, CanBeLeftOut) {
  CurvaturePairs pairs;
  pairs.begin(0);
  EXPECT_GE(products(pairs, positive_definite(5), random_vector(90)), 7U);
  EXPECT_EQ(pairs.packed().size(), 0);
  pairs.make_preconditioner(nullptr);
  EXPECT_EQ(inverse_of(pairs), Matrix::Identity(dim, dim));
}

}  // namespace
}  // namespace driftless::test
