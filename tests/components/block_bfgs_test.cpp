#include "driftless/components/curvature/block_bfgs.hpp"

#include "driftless/core/random.hpp"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

constexpr Index dim = 7;

struct Setting {
  Matrix H;
  Matrix U;
  Vector r;
};

Setting random_setting() {
  Stream chance(3, Purpose::generator);
  const auto matrix = [&] {
    Matrix m(dim, dim);
    for (Index k = 0; k < m.size(); ++k) m.data()[k] = chance.normal();
    return m;
  };
  const Matrix root = matrix();
  Setting s{.H = root * root.transpose() + Matrix::Identity(dim, dim), .U = matrix(), .r = Vector(dim)};
  for (double& entry : s.r) entry = chance.normal();
  return s;
}

std::vector<DirectionAndProduct> block(const Setting& s, Index first, Index count) {
  std::vector<DirectionAndProduct> b;
  for (Index j = first; j < first + count; ++j) b.push_back({s.U.col(j), s.H * s.U.col(j)});
  return b;
}

// The formula of BFGS with dense matrices, a block at a time.
Matrix dense_update(const Matrix& inverse, const Matrix& U, const Matrix& HU) {
  const Matrix middle = (U.transpose() * HU).inverse();
  const Matrix P = Matrix::Identity(U.rows(), U.rows()) - HU * middle * U.transpose();
  return U * middle * U.transpose() + P.transpose() * inverse * P;
}

TEST(BlockBfgs, IsTheDenseFormula) {
  const Setting s = random_setting();
  constexpr double gamma = 2.5;
  BlockBfgs inverse;
  inverse.begin(100);
  Matrix dense = Matrix::Identity(dim, dim) / gamma;
  for (const auto& [first, count] : {std::pair<Index, Index>{0, 2}, {2, 1}, {3, 3}}) {
    inverse.add(block(s, first, count));
    const Matrix U = s.U.middleCols(first, count);
    dense = dense_update(dense, U, s.H * U);
    const BlockBfgs::Step step = inverse.solve(s.r);
    EXPECT_LT((step.known + step.unknown / gamma - dense * s.r).norm(), 1e-9 * (dense * s.r).norm());
  }
}

TEST(BlockBfgs, IsTheInverseOnceThePairsSpanAll) {
  const Setting s = random_setting();
  BlockBfgs inverse;
  inverse.begin(100);
  inverse.add(block(s, 0, dim));
  const BlockBfgs::Step step = inverse.solve(s.r);
  EXPECT_LT((s.H * step.known - s.r).norm(), 1e-8 * s.r.norm());
  EXPECT_LT(step.unknown.norm(), 1e-8 * s.r.norm());
}

// So conjugate gradients continue where they are.
TEST(BlockBfgs, MinimisesOverOneBlockAndLeavesAConjugateDirection) {
  const Setting s = random_setting();
  BlockBfgs inverse;
  inverse.begin(100);
  inverse.add(block(s, 0, 3));
  const BlockBfgs::Step step = inverse.solve(s.r);
  EXPECT_LT((s.U.leftCols(3).transpose() * (s.r - s.H * step.known)).norm(), 1e-9 * s.r.norm());
  EXPECT_LT((s.U.leftCols(3).transpose() * s.H * step.unknown).norm(), 1e-9 * s.r.norm());
}

TEST(BlockBfgs, LeavesOutRepeatedAndBentDirections) {
  const Vector u = Vector::Unit(3, 0);
  BlockBfgs inverse;
  inverse.begin(10);
  inverse.add({{u, 2.0 * u}, {3.0 * u, 6.0 * u}, {Vector::Unit(3, 1), -Vector::Unit(3, 1)}, {Vector::Zero(3), u}});
  EXPECT_EQ(inverse.packed().size(), 2 * 3);
  EXPECT_EQ(inverse.solve(u).known, 0.5 * u);
}

TEST(BlockBfgs, ForgetsTheOldestPairs) {
  BlockBfgs inverse;
  inverse.begin(2);
  for (Index k = 0; k < 3; ++k) inverse.add({{Vector::Unit(3, k), 2.0 * Vector::Unit(3, k)}});
  const BlockBfgs::Step step = inverse.solve(Vector::Ones(3));
  EXPECT_EQ(step.known, (Vector(3) << 0.0, 0.5, 0.5).finished());
  EXPECT_EQ(step.unknown, Vector::Unit(3, 0));
}

TEST(BlockBfgs, IsTheSameAfterPacking) {
  const Setting s = random_setting();
  BlockBfgs inverse;
  inverse.begin(4);
  inverse.add(block(s, 0, 3));
  inverse.add(block(s, 3, 2));
  BlockBfgs copy;
  copy.begin(4);
  copy.unpack(inverse.packed(), dim);
  EXPECT_EQ(copy.solve(s.r).known, inverse.solve(s.r).known);
  EXPECT_EQ(copy.solve(s.r).unknown, inverse.solve(s.r).unknown);
}

TEST(ScaleAlong, IsAtLeastTheCurvatureAndKeepsTheOldOneWithoutAny) {
  const Vector u = (Vector(2) << 1.0, 1.0).finished();
  EXPECT_DOUBLE_EQ(scale_along(u, (Vector(2) << 1.0, 4.0).finished(), 7.0), 17.0 / 5.0);
  EXPECT_EQ(scale_along(u, -u, 7.0), 7.0);
  EXPECT_EQ(scale_along(u, Vector::Zero(2), 7.0), 7.0);
}

}  // namespace
}  // namespace driftless::test
