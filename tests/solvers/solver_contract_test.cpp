// What every local solver must do on every kind of subproblem. A new solver is covered by being listed.
#include "driftless/data/synthetic.hpp"
#include "driftless/federation/client_objective.hpp"
#include "driftless/objectives/linear/linear_model.hpp"
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/objectives/quadratic/diagonal_quadratic.hpp"

#include "tests/support/allocation_count.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace driftless::test {
namespace {

constexpr Index dim = 6;

struct SolverCase {
  std::string title;
  LocalSolver solver;
  bool converges;  // to the minimiser of F, to 1e-6
};

StopRule absolute(double tolerance) {
  return {.kind = StopRule::Kind::absolute, .max_steps = 200000, .tolerance = tolerance};
}

const std::vector<SolverCase> solvers{
    {"GradientDescent", GradientDescent{.step = 0.1, .stop = absolute(1e-9)}, true},
    {"ProxGradient", ProxGradient{.eta = 9.0, .stop = absolute(1e-9)}, true},
    {"AcceleratedGradient", AcceleratedGradient{.eta = 9.0, .mu = 0.0, .stop = absolute(1e-9)}, true},
    {"AdaptiveGradient", AdaptiveGradient{.stop = absolute(1e-9)}, true},
    {"AdaptiveGradientWithoutMomentum", AdaptiveGradient{.stop = absolute(1e-9), .accelerated = false}, true},
    {"NewtonCg", NewtonCg{.stop = absolute(1e-9)}, true},
    {"Exact", Exact{}, true},
    {"Sgd", Sgd{.eta = 9.0, .batch = 2, .steps = 50}, false},
};

std::unique_ptr<ClientObjective> dense_quadratic() {
  Matrix a = Vector::LinSpaced(dim, 1.0, 8.0).asDiagonal();
  a(0, 1) = a(1, 0) = 0.5;
  return make_client(DenseQuadratic(a, Vector::LinSpaced(dim, -1.0, 1.0)));
}

std::unique_ptr<ClientObjective> diagonal_quadratic() {
  return make_client(
      DiagonalQuadratic(Matrix::Constant(dim, 4, 3.0) + 2.0 * Matrix::Identity(dim, 4), Matrix::Ones(dim, 4)));
}

std::unique_ptr<ClientObjective> logistic_regression() {
  const Dataset data = generate_classification({.rows = 60, .dim = dim, .nonzeros_per_row = 3.0}, 3);
  std::vector<std::int32_t> rows(60);
  std::iota(rows.begin(), rows.end(), 0);
  return make_client(LinearModel<LogisticLoss, SparseRows>(data, rows, {.weight = 0.1, .l2 = 0.05}));
}

struct ProblemCase {
  std::string title;
  std::function<std::unique_ptr<ClientObjective>()> make;
};
const std::vector<ProblemCase> problems{
    {"DenseQuadratic", dense_quadratic}, {"DiagonalQuadratic", diagonal_quadratic}, {"Logistic", logistic_regression}};

class SolverContract : public testing::TestWithParam<std::tuple<SolverCase, ProblemCase>> {
 protected:
  const SolverCase& solver() const { return std::get<0>(GetParam()); }
  SolveReport solve(const Subproblem& s, VecOut y) { return f_->minimize(s, y, solver().solver, context_); }

  Vector gradient_of_target(const Vector& y) const {
    Vector g(dim);
    f_->gradient(y, g);
    return g - h_ + 0.7 * (y - c_);
  }

  std::unique_ptr<ClientObjective> f_ = std::get<1>(GetParam()).make();
  Vector h_ = Vector::LinSpaced(dim, 0.3, -0.2);
  Vector c_ = Vector::Constant(dim, 0.4);
  Subproblem target_{.shift = &h_, .center = &c_, .lambda = 0.7};
  Workspace scratch_{dim};
  BatchSampler batches_{1, 0};
  SolveContext context_{scratch_, batches_};
};

TEST_P(SolverContract, LowersTheGradientOfTheShiftedProblem) {
  Vector y = c_;
  const double before = gradient_of_target(y).norm();
  const SolveReport report = solve(target_, y);
  EXPECT_NE(report.end, SolveEnd::none);
  EXPECT_GE(report.steps, 1U);
  const double after = gradient_of_target(y).norm();
  if (solver().converges) EXPECT_LT(after, 1e-6);
  else EXPECT_LT(after, before);
}

TEST_P(SolverContract, TakesTheSamePathTwice) {
  Vector y = c_;
  Vector z = c_;
  solve(target_, y);
  batches_.restore(0);
  solve(target_, z);
  EXPECT_TRUE(y == z);
}

TEST_P(SolverContract, AllocatesNothingOnceWarm) {
  if (!allocations_are_counted()) GTEST_SKIP() << "a sanitizer owns the allocator";
  Vector y = c_;
  solve(target_, y);
  batches_.restore(0);
  y = c_;
  const std::size_t before = allocations();
  solve(target_, y);
  EXPECT_EQ(allocations(), before);
}

TEST_P(SolverContract, WorksWithoutShiftAndCentre) {
  Vector y = c_;
  solve({}, y);
  Vector g(dim);
  Vector g_start(dim);
  f_->gradient(y, g);
  f_->gradient(c_, g_start);
  EXPECT_LT(g.norm(), g_start.norm());
}

INSTANTIATE_TEST_SUITE_P(Catalog, SolverContract,
                         testing::Combine(testing::ValuesIn(solvers), testing::ValuesIn(problems)),
                         [](const auto& c) { return std::get<0>(c.param).title + "On" + std::get<1>(c.param).title; });

class Anchors : public testing::Test {
 protected:
  SolveReport sgd(const Subproblem& s, std::size_t batch, std::size_t steps, Vector& y) {
    batches_.restore(0);
    return f_->minimize(s, y, Sgd{.eta = 9.0, .batch = batch, .steps = steps}, context_);
  }
  Vector gradient(const Vector& x) const {
    Vector g(dim);
    f_->gradient(x, g);
    return g;
  }

  std::unique_ptr<ClientObjective> f_ = logistic_regression();
  Vector z_ = Vector::LinSpaced(dim, -0.5, 0.5);
  Vector g_z_ = gradient(z_);
  Workspace scratch_{dim};
  BatchSampler batches_{1, 0};
  SolveContext context_{scratch_, batches_};
};

TEST_F(Anchors, TheNoiseIsGoneAtTheAnchorAndHalfOfItWithHalfTheShare) {
  const Vector full = z_ - g_z_ / 9.0;
  Vector plain = z_;
  sgd({}, 2, 1, plain);
  ASSERT_GT((plain - full).norm(), 1e-3) << "a batch without noise proves nothing";
  Vector anchored = z_;
  sgd({.anchor = {.point = &z_, .gradient = &g_z_}}, 2, 1, anchored);
  EXPECT_LT((anchored - full).norm(), 1e-15);
  Vector half = z_;
  sgd({.anchor = {.point = &z_, .gradient = &g_z_, .share = 0.5}}, 2, 1, half);
  EXPECT_LT((half - (plain + full) / 2).norm(), 1e-15);
}

TEST_F(Anchors, DoNotChangeFullBatches) {
  Vector plain = Vector::Ones(dim);
  Vector anchored = plain;
  sgd({}, 60, 5, plain);
  sgd({.anchor = {.point = &z_, .gradient = &g_z_}}, 60, 5, anchored);
  EXPECT_LT((anchored - plain).norm(), 1e-14);
}

TEST_F(Anchors, CostASecondPassPerStepAndNoMemory) {
  Vector y = Vector::Ones(dim);
  const Subproblem s{.anchor = {.point = &z_, .gradient = &g_z_}};
  EXPECT_EQ(sgd(s, 2, 7, y).gradients, 14U);
  if (!allocations_are_counted()) GTEST_SKIP() << "a sanitizer owns the allocator";
  const std::size_t before = allocations();
  sgd(s, 2, 7, y);
  EXPECT_EQ(allocations(), before);
}

TEST(SolverCatalog, ListsEverySolverHere) {
  std::set<std::size_t> kinds;
  for (const SolverCase& solver : solvers) kinds.insert(solver.solver.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<LocalSolver>);
}

}  // namespace
}  // namespace driftless::test
