// Which rule ends a local solve, after how many steps and gradients. f(y) = ½ a y² in one dimension, so every number is
// known.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"
#include "driftless/solvers/local_solver_options.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace driftless {
namespace {

class StopRules : public testing::Test {
 protected:
  template <class Solver>
  SolveReport solve(const Solver& solver, double start = 1.0, const Vector* known = nullptr) {
    y_ = Vector::Constant(1, start);
    center_ = y_;
    return solver(f_, {.center = &center_, .lambda = 1.0, .start_gradient = known}, y_, context_);
  }

  DenseQuadratic f_{Matrix::Constant(1, 1, 3.0),
                    Vector::Zero(1)};  // F(y) = 1.5 y² + ½(y − c)², F'(y) = 4y − c, F* at c/4
  Vector y_;
  Vector center_;
  Workspace scratch_{1};
  BatchSampler batches_{1, 0};
  SolveContext context_{scratch_, batches_};
};

using Kind = StopRule::Kind;

TEST_F(StopRules, FixedStepsTakeThatManyGradients) {
  const SolveReport report = solve(ProxGradient{.eta = 7.0, .stop = {.max_steps = 3}});
  EXPECT_EQ(report.end, SolveEnd::steps_done);
  EXPECT_EQ(report.steps, 3U);
  EXPECT_EQ(report.gradients, 3U);
  EXPECT_NEAR(y_[0], 0.25 + 0.75 / 8, 1e-15);  // y − (4y − 1)/8: the distance to ¼ halves each step
}

TEST_F(StopRules, AKnownStartGradientSavesOne) {
  const Vector known = Vector::Constant(1, 3.0);
  EXPECT_EQ(solve(ProxGradient{.eta = 7.0, .stop = {.max_steps = 3}}, 1.0, &known).gradients, 2U);
  EXPECT_NEAR(y_[0], 0.25 + 0.75 / 8, 1e-15);
}

TEST_F(StopRules, RelativeRuleStopsAtTheFirstIterateThatMeetsIt) {
  // After k steps ‖F'‖ = 3·2^−k and ‖y − c‖ = ¾(1 − 2^−k): with tolerance 1 first met at k = 3 (3/8 ≤ 21/32).
  const SolveReport report =
      solve(ProxGradient{.eta = 7.0, .stop = {.kind = Kind::relative, .max_steps = 100, .tolerance = 1.0}});
  EXPECT_EQ(report.end, SolveEnd::relative_met);
  EXPECT_EQ(report.steps, 3U);
  EXPECT_EQ(report.gradients, 4U);  // one more, at the returned point
}

TEST_F(StopRules, AbsoluteRuleStopsAtItsTolerance) {
  const SolveReport report =
      solve(ProxGradient{.eta = 7.0, .stop = {.kind = Kind::absolute, .max_steps = 100, .tolerance = 0.1}});
  EXPECT_EQ(report.end, SolveEnd::absolute_met);
  EXPECT_EQ(report.steps, 5U);  // 3/32 ≤ 0.1 < 3/16
}

TEST_F(StopRules, AbsoluteRuleTakesNoStepFromAGoodStart) {
  const SolveReport report =
      solve(ProxGradient{.eta = 7.0, .stop = {.kind = Kind::absolute, .max_steps = 100, .tolerance = 10.0}});
  EXPECT_EQ(report.end, SolveEnd::absolute_met);
  EXPECT_EQ(report.steps, 0U);
  EXPECT_EQ(y_[0], 1.0);
}

TEST_F(StopRules, LeastGradientIteratesIsReturnedAfterAllSteps) {
  // Step 0.6 overshoots: the distance to ¼ is multiplied by 1 − 2.4 = −1.4 each step, so the first iterate is the best.
  const SolveReport report = solve(GradientDescent{.step = 0.6, .stop = {.kind = Kind::min_gradient, .max_steps = 4}});
  EXPECT_EQ(report.end, SolveEnd::least_gradient);
  EXPECT_EQ(report.steps, 4U);
  EXPECT_NEAR(y_[0], 0.25 - 1.4 * 0.75, 1e-14);
}

TEST_F(StopRules, FloorEndsARuleThatRoundingWouldNeverMeet) {
  const SolveReport report =
      solve(ProxGradient{.eta = 7.0, .stop = {.kind = Kind::relative, .max_steps = 100000, .tolerance = 0.0}});
  EXPECT_TRUE(report.end == SolveEnd::at_floor || report.end == SolveEnd::relative_met);
  EXPECT_LT(report.steps, 100U);
}

TEST_F(StopRules, StepLimitIsReportedAsSuch) {
  const SolveReport report =
      solve(ProxGradient{.eta = 7.0, .stop = {.kind = Kind::absolute, .max_steps = 2, .tolerance = 1e-9}});
  EXPECT_EQ(report.end, SolveEnd::step_limit);
  EXPECT_EQ(report.steps, 2U);
}

TEST_F(StopRules, AStationaryStartIsReturnedUntouched) {
  for (const Kind kind : {Kind::relative, Kind::absolute, Kind::min_gradient}) {
    const SolveReport report =
        solve(ProxGradient{.eta = 7.0, .stop = {.kind = kind, .max_steps = 10, .tolerance = 0.0}}, 0.0);
    EXPECT_EQ(report.end, SolveEnd::stationary);
    EXPECT_EQ(y_[0], 0.0);
  }
}

TEST_F(StopRules, AcceleratedGradientReturnsThePointItTested) {
  const SolveReport report = solve(AcceleratedGradient{
      .eta = 7.0, .mu = 3.0, .stop = {.kind = Kind::absolute, .max_steps = 100, .tolerance = 1e-3}});
  EXPECT_EQ(report.end, SolveEnd::absolute_met);
  EXPECT_LE(std::abs(4 * y_[0] - 1.0), 1e-3);
  EXPECT_EQ(report.gradients, report.steps + 1);
}

TEST_F(StopRules, AcceleratedGradientFirstStepIsAGradientStep) {
  solve(AcceleratedGradient{.eta = 7.0, .mu = 3.0, .stop = {.max_steps = 1}});
  EXPECT_NEAR(y_[0], 1.0 - 3.0 / 8, 1e-15);
}

TEST_F(StopRules, NewtonSolvesAQuadraticInOneStep) {
  const SolveReport report = solve(NewtonCg{.stop = {.kind = Kind::absolute, .max_steps = 10, .tolerance = 1e-12}});
  EXPECT_EQ(report.end, SolveEnd::absolute_met);
  EXPECT_EQ(report.steps, 1U);
  EXPECT_NEAR(y_[0], 0.25, 1e-15);
}

TEST_F(StopRules, ExactUsesTheClosedFormWithoutGradients) {
  const SolveReport report = solve(Exact{});
  EXPECT_EQ(report.end, SolveEnd::closed_form);
  EXPECT_EQ(report.gradients, 0U);
  EXPECT_NEAR(y_[0], 0.25, 1e-15);
}

// With β = 5 the objective has no closed form and is not convex; Newton's method ends at a stationary point that is no
// worse.
TEST(NonConvexSolve, ExactFallsBackToNewtonAndNeverRises) {
  const DenseQuadratic f(Matrix::Constant(1, 1, 1.0), Vector::Constant(1, 4.0), 5.0);
  Workspace scratch(1);
  BatchSampler batches(1, 0);
  SolveContext context{scratch, batches};
  for (const double start : {-3.0, -0.8, 0.0, 0.6, 1.0, 2.0, 5.0}) {
    Vector y = Vector::Constant(1, start);
    const double before = f.value(y);
    const SolveReport report = Exact{}(f, {}, y, context);
    Vector g(1);
    f.gradient(y, g);
    EXPECT_NE(report.end, SolveEnd::closed_form);
    EXPECT_LE(f.value(y), before + 1e-14);
    EXPECT_LT(std::abs(g[0]), 1e-9) << "start " << start;
  }
}

TEST(ErRule, SumsToItsBudget) {
  const double lambda = 2.0;
  const double mu = 0.5;
  double sum = 0.0;
  for (std::size_t r = 0; r < 100000; ++r) sum += std::pow(e_r(lambda, mu, r), 2);
  EXPECT_NEAR(sum, lambda * (mu + lambda) / 8, 1e-5);
}

TEST(LocalSolverOptions, ChecksThatChoicesFit) {
  EXPECT_THROW((LocalSolverOptions{.solver = SolverName::gd}.check()), ConfigError);
  EXPECT_THROW((LocalSolverOptions{.solver = SolverName::sgd, .eta = 1.0, .stop_rule = StopRuleName::e_r}.check()),
               ConfigError);
  EXPECT_NO_THROW((LocalSolverOptions{.solver = SolverName::exact}.check()));
}

TEST(BatchSampler, CoversEveryEpochOnceInADifferentOrder) {
  BatchSampler sampler(1, 2);
  std::vector<std::vector<std::int32_t>> epochs(2);
  for (auto& epoch : epochs)
    for (const std::size_t expected : {4U, 4U, 2U}) {
      const Batch batch = sampler.next(10, 4);
      EXPECT_EQ(batch.size(), expected);
      epoch.insert(epoch.end(), batch.begin(), batch.end());
    }
  EXPECT_NE(epochs[0], epochs[1]);
  for (auto& epoch : epochs) {
    std::sort(epoch.begin(), epoch.end());
    for (std::int32_t k = 0; k < 10; ++k) EXPECT_EQ(epoch[static_cast<std::size_t>(k)], k);
  }
}

TEST(BatchSampler, IsRestoredByItsCursor) {
  BatchSampler sampler(1, 2);
  for (int k = 0; k < 5; ++k) sampler.next(10, 4);
  BatchSampler again(1, 2);
  again.restore(sampler.cursor());
  for (int k = 0; k < 5; ++k) {
    const Batch a = sampler.next(10, 4);
    const Batch b = again.next(10, 4);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

}  // namespace
}  // namespace driftless
