#include "driftless/objectives/linear/linear_model.hpp"

#include "tests/objectives/sample_problems.hpp"

#include <Eigen/Cholesky>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

// Two rows: (1, 2) with label +1 and (0, −1) with label −1.
Dataset two_rows() {
  Dataset data;
  data.name = "two rows";
  data.dim = 2;
  data.row_start = {0, 2, 3};
  data.column = {0, 1, 1};
  data.value = {1.0, 2.0, -1.0};
  data.label = {1.0, -1.0};
  return data;
}

TEST(LogisticRegression, MatchesHandComputation) {
  const LogisticRegression<SparseRows> f(two_rows(), first_indices(2), {.weight = 0.5, .l2 = 0.1, .intercept = false});
  const Vector x{{2.0, 1.0}};
  // Margins: 1·2 + 2·1 = 4, and −1·(−1) = 1.
  const double expected = 0.5 * (std::log1p(std::exp(-4.0)) + std::log1p(std::exp(-1.0))) + 0.05 * 5.0;
  EXPECT_NEAR(f.value(x), expected, 1e-15);
  const double s4 = 1.0 / (1.0 + std::exp(4.0));
  const double s1 = 1.0 / (1.0 + std::exp(1.0));
  const Vector g = gradient_of(f, x);
  EXPECT_NEAR(g[0], -0.5 * s4 + 0.2, 1e-15);
  EXPECT_NEAR(g[1], 0.5 * (-2.0 * s4 - s1) + 0.1, 1e-15);
}

// As docs/federation.md states under "What the server sees": the gradient of one row at x = 0 is that row, times half
// of its weight and its label.
TEST(LogisticRegression, TheFirstGradientOfAClientWithOneRowRevealsTheRow) {
  const Dataset data = test::random_dataset(7, 1, 60, 0.5);
  const LogisticRegression<SparseRows> f(data, first_indices(1), {.weight = 1.0, .l2 = 0.3, .intercept = false});
  const Vector rebuilt = -2.0 * data.label[0] * test::gradient_of(f, Vector::Zero(60));
  EXPECT_EQ(rebuilt, Vector(test::dense_copy(data).row(0).transpose()));
  EXPECT_GT(rebuilt.norm(), 0.0);
}

TEST(LogisticRegression, StaysFiniteAtExtremeMargins) {
  Dataset data = two_rows();
  data.value = {800.0, 0.0, 800.0};
  const LogisticRegression<SparseRows> f(data, first_indices(2), {.weight = 1.0, .l2 = 0.0, .intercept = false});
  const Vector right{{1.0, -1.0}};
  const Vector wrong{{-1.0, 1.0}};
  EXPECT_EQ(f.value(right), 0.0);
  EXPECT_EQ(f.value(wrong), 1600.0);
  EXPECT_EQ(gradient_of(f, wrong), Vector({{-800.0, 800.0}}));
  Vector hv(2);
  f.hessian_vector(wrong, right, hv);
  EXPECT_EQ(hv.norm(), 0.0);
}

TEST(LogisticRegression, MeanOfClientsIsTheCentralObjective) {
  const Dataset data = random_dataset(3, 23, 6, 0.5);
  const std::vector<std::vector<std::int32_t>> clients{
      {0, 3, 4, 9, 10, 11, 12, 13, 14}, {1, 2, 5}, {6, 7, 8, 15, 16, 17, 18, 19, 20, 21, 22}};
  const double rows = 23.0;
  const Vector x = random_point(4, 6);
  double value = 0.0;
  Vector gradient = Vector::Zero(6);
  for (const auto& rows_of_client : clients) {
    const LogisticRegression<SparseRows> f(data, rows_of_client,
                                           {.weight = 3.0 / rows, .l2 = 1.0 / rows, .intercept = false});
    value += f.value(x) / 3.0;
    gradient += gradient_of(f, x) / 3.0;
  }
  const Matrix a = dense_copy(data);
  double central = 0.5 * x.squaredNorm() / rows;
  Vector central_gradient = x / rows;
  for (Index j = 0; j < a.rows(); ++j) {
    const double y = data.label[static_cast<std::size_t>(j)];
    const double margin = y * a.row(j).dot(x);
    central += std::log(1.0 + std::exp(-margin)) / rows;
    central_gradient -= (y / (1.0 + std::exp(margin)) / rows) * a.row(j).transpose();
  }
  EXPECT_NEAR(value, central, 1e-14);
  EXPECT_LT((gradient - central_gradient).norm(), 1e-14);
}

TEST(LinearModel, DenseRowsEqualSparseRows) {
  const Dataset data = random_dataset(7, 30, 9, 0.3);
  const std::vector<std::int32_t> rows{29, 1, 5, 5, 17};
  for (const bool intercept : {false, true}) {
    const LinearModelOptions options{.weight = 0.7, .l2 = 0.01, .intercept = intercept};
    const LogisticRegression<SparseRows> sparse(data, rows, options);
    const LogisticRegression<DenseRows> dense(data, rows, options);
    ASSERT_EQ(sparse.dim(), dense.dim());
    const Vector x = random_point(8, sparse.dim());
    const Vector v = random_point(9, sparse.dim());
    EXPECT_NEAR(sparse.value(x), dense.value(x), 1e-14);
    EXPECT_LT((gradient_of(sparse, x) - gradient_of(dense, x)).norm(), 1e-14);
    Vector hv_sparse(sparse.dim());
    Vector hv_dense(sparse.dim());
    sparse.hessian_vector(x, v, hv_sparse);
    dense.hessian_vector(x, v, hv_dense);
    EXPECT_LT((hv_sparse - hv_dense).norm(), 1e-14);
  }
}

TEST(LinearModel, InterceptIsALastRegularisedColumnOfOnes) {
  const LeastSquares<SparseRows> f(two_rows(), first_indices(2), {.weight = 1.0, .l2 = 2.0, .intercept = true});
  ASSERT_EQ(f.dim(), 3);
  const Vector x{{0.0, 0.0, 3.0}};
  // Residuals 3 − 1 and 3 + 1.
  EXPECT_EQ(f.value(x), 0.5 * (4.0 + 16.0) + 9.0);
  EXPECT_EQ(gradient_of(f, x), Vector({{2.0, 2.0 * 2.0 - 4.0, 2.0 + 4.0 + 6.0}}));
}

TEST(LeastSquares, NormalEquationsGiveAStationaryPoint) {
  const Dataset data = random_dataset(21, 40, 5, 0.6);
  const double weight = 0.05;
  const double l2 = 0.3;
  const LeastSquares<SparseRows> f(data, first_indices(40), {.weight = weight, .l2 = l2, .intercept = false});
  const Matrix a = dense_copy(data);
  const Eigen::Map<const Vector> y(data.label.data(), 40);
  const Matrix normal = weight * a.transpose() * a + l2 * Matrix::Identity(5, 5);
  const Vector minimizer = normal.llt().solve(weight * a.transpose() * y);
  EXPECT_LT(gradient_of(f, minimizer).norm(), 1e-14);
  EXPECT_NEAR(f.value(minimizer), 0.5 * weight * (a * minimizer - y).squaredNorm() + 0.5 * l2 * minimizer.squaredNorm(),
              1e-14);
}

TEST(LinearModel, RankOfTheDataBoundsTheRankOfTheHessianBeyondTheRegularizer) {
  const auto floor_of = [](const Dataset& data, std::size_t rows, bool intercept) {
    const LinearModelOptions options{.weight = 1.0, .l2 = 0.3, .intercept = intercept};
    const CurvatureFloor dense = LeastSquares<DenseRows>(data, first_indices(rows), options).curvature_floor();
    const CurvatureFloor sparse = LeastSquares<SparseRows>(data, first_indices(rows), options).curvature_floor();
    EXPECT_EQ(dense.rank, sparse.rank);
    EXPECT_EQ(sparse.least, 0.3);
    return sparse;
  };
  EXPECT_FALSE(floor_of(two_rows(), 2, false).reached(2));
  EXPECT_TRUE(floor_of(two_rows(), 1, false).reached(2));  // fewer rows than columns
  EXPECT_TRUE(floor_of(two_rows(), 2, true).reached(3));
  Dataset wide = random_dataset(5, 30, 4, 0.5);
  EXPECT_EQ(floor_of(wide, 30, false).rank, 4);
  wide.dim = 7;  // three columns that no row uses
  EXPECT_EQ(floor_of(wide, 30, false).rank, 4);
  EXPECT_EQ(floor_of(wide, 30, true).rank, 5);
}

TEST(LinearModel, BoundedTermIsAddedOnceAndUnweighted) {
  const LinearModelOptions plain{.weight = 0.5, .l2 = 0.3};
  LinearModelOptions bounded = plain;
  bounded.beta = 2.0;
  const LeastSquares<SparseRows> f(two_rows(), first_indices(2), plain);
  const LeastSquares<SparseRows> g(two_rows(), first_indices(2), bounded);
  const Vector x{{1.0, -2.0}};
  EXPECT_NEAR(g.value(x) - f.value(x), 2.0 * (1.0 / 2 + 4.0 / 5), 1e-14);
  const Vector slopes{{2.0 * 2.0 / 4, -2.0 * 4.0 / 25}};  // β 2x/(1 + x²)²
  EXPECT_LT((gradient_of(g, x) - gradient_of(f, x) - slopes).norm(), 1e-14);
  const std::vector<std::int32_t> batch{1};
  Vector of_f(2), of_g(2);
  f.gradient(x, batch, of_f);
  g.gradient(x, batch, of_g);
  EXPECT_LT((of_g - of_f - slopes).norm(), 1e-14) << "a batch has the whole term";
  EXPECT_NEAR(g.sample_smoothness(), f.sample_smoothness() + 4.0, 1e-14);
  EXPECT_EQ(g.curvature_floor().least, 0.3 - 1.0);
  EXPECT_FALSE(g.curvature_floor().reached(2)) << "no direction has the least curvature everywhere";
}

TEST(LinearModel, RejectsLabelsThatTheLossIsNotDefinedFor) {
  Dataset data = two_rows();
  data.label[1] = 0.0;
  const auto make = [&] { LogisticRegression<SparseRows>(data, first_indices(2), {}); };
  try {
    make();
    FAIL() << "label 0 was accepted";
  } catch (const DataError& error) {
    EXPECT_THAT(error.info().seen, testing::AllOf(testing::HasSubstr("two rows"), testing::HasSubstr("row 2"),
                                                  testing::HasSubstr("label 0")));
    EXPECT_THAT(error.info().advice, testing::HasSubstr("-1 or +1"));
  }
  EXPECT_NO_THROW(LeastSquares<SparseRows>(data, first_indices(2), {}));
}

TEST(LinearModel, RejectsRowsOutsideTheDataSet) {
  const std::vector<std::int32_t> rows{0, 2};
  EXPECT_THROW(LeastSquares<SparseRows>(two_rows(), rows, {}), BrokenInvariant);
  EXPECT_THROW(LeastSquares<DenseRows>(two_rows(), rows, {}), BrokenInvariant);
}

TEST(PrefersDense, FollowsTheShareOfNonzeros) {
  const auto prefers = [](double share, bool ones) {
    Dataset data = random_dataset(5, 200, 50, share);
    if (ones) std::ranges::fill(data.value, 1.0);
    return prefers_dense(data, first_indices(200));
  };
  EXPECT_FALSE(prefers(0.25, false));
  EXPECT_TRUE(prefers(0.42, false));
  EXPECT_FALSE(prefers(0.42, true)) << "sparse rows with equal entries store no values";
  EXPECT_TRUE(prefers(0.6, true));
}

}  // namespace
}  // namespace driftless::test
