#include "driftless/solvers/conjugate_gradients.hpp"

#include "driftless/core/random.hpp"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>
#include <vector>

namespace driftless::test {
namespace {

Matrix positive_definite(std::uint64_t seed, Index dim) {
  Stream stream(seed, Purpose::generator);
  Matrix a(dim, dim);
  for (Index k = 0; k < a.size(); ++k) a.data()[k] = stream.normal();
  return a * a.transpose() + Matrix::Identity(dim, dim);
}

struct PcgRun {
  Vector v = Vector::Zero(10), r = Vector::LinSpaced(10, 1.0, 2.0), u = v, hu = v, s = v;
  std::vector<Vector> residuals, solved;  // r_j and P⁻¹ r_j

  CgReport operator()(const Matrix& h, const Matrix& p, CgRule rule = {}) {
    const auto product = [&](const Vector& a, Vector& b) { b = h * a; };
    const auto precondition = [&](const Vector& a, Vector& b) {
      b = p.llt().solve(a);
      residuals.push_back(a);
      solved.push_back(b);
    };
    return conjugate_gradients(product, precondition, {v, r, u, hu, s}, rule);
  }
};

TEST(ConjugateGradients, SolveInAtMostDimStepsWithAnyPreconditioner) {
  const Matrix h = positive_definite(1, 10);
  const Vector b = PcgRun().r;
  for (const Matrix& p : {Matrix(Matrix::Identity(10, 10)), positive_definite(2, 10)}) {
    PcgRun run;
    EXPECT_LE(run(h, p, {.max_steps = 1000, .tolerance = 1e-8}).steps, 12U);
    EXPECT_LT((h * run.v - b).norm(), 2e-8 * b.norm());
    EXPECT_LT((b - h * run.v - run.r).norm(), 1e-8) << "r is the residual";
  }
}

TEST(ConjugateGradients, EndInOneStepWhenThePreconditionerIsTheMatrix) {
  const Matrix h = positive_definite(3, 10);
  PcgRun run;
  EXPECT_EQ(run(h, h).steps, 1U);
}

TEST(ConjugateGradients, KeepResidualsOrthogonal) {
  const Matrix h = positive_definite(4, 10);
  PcgRun run;
  run(h, positive_definite(5, 10), {.max_steps = 6});
  for (std::size_t j = 0; j < run.residuals.size(); ++j)
    for (std::size_t k = 0; k < j; ++k) {
      const double scale = run.residuals[j].norm() * run.solved[k].norm();
      EXPECT_LT(std::abs(run.residuals[j].dot(run.solved[k])), 1e-8 * scale) << j << " " << k;
    }
}

TEST(ConjugateGradients, StopAtNegativeCurvature) {
  Matrix h = Matrix::Identity(10, 10);
  h(9, 9) = -100.0;
  PcgRun run;
  const CgReport end = run(h, Matrix::Identity(10, 10));
  EXPECT_FALSE(end.convex);
  EXPECT_EQ(end.steps, 0U);
  EXPECT_TRUE(run.u == run.r) << "the direction is left for the caller";
}

TEST(ConjugateGradients, DoNothingForARightSideOfZero) {
  PcgRun run;
  run.r.setZero();
  EXPECT_EQ(run(positive_definite(6, 10), Matrix::Identity(10, 10)).steps, 0U);
  EXPECT_EQ(run.v.norm(), 0.0);
}

}  // namespace
}  // namespace driftless::test
