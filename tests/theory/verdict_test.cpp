// Verdicts of theorem checks: none that could not have been another.
#include "driftless/objectives/quadratic/dense_quadratic.hpp"

#include "tests/theory/check_theorems.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;

// The local steps are far too long, so f rises, and the measured errors of the solves raise the bound with it.
TEST(Verdict, IsNoneWhereMeasuredErrorsMakeTheBound) {
  const Instance instance = demo_quadratics();
  const Constants& c = instance.constants;
  const Settings settings{
      {"lambda", 2 * c.delta_A}, {"eta", c.L / 40}, {"stop_rule", "steps"s}, {"local_steps", std::int64_t{10}}};
  const TheoremCheckReport report = check_theorems(ground_of(instance), method_of("dane+-gd", settings), {.rounds = 5});
  EXPECT_EQ(report.theorems[0].verdict, Verdict::undecided);
  EXPECT_THAT(report.theorems[0].reason, HasSubstr("the bound consists of errors that were measured"));
  EXPECT_EQ(report.verdict(), Verdict::undecided);
}

// Clients ½x'Ax with A = diag(1, low).
Instance flat(double low) {
  Instance instance{.start = Vector::Constant(2, 1.0), .minimizer = Vector::Zero(2), .minimum = 0.0};
  const Vector diagonal = (Vector(2) << 1.0, low).finished();
  for (int i = 0; i < 2; ++i) {
    instance.hessians.emplace_back(diagonal.asDiagonal());
    instance.clients.push_back(make_client(DenseQuadratic(instance.hessians.back(), Vector::Constant(2, 1e-3))));
  }
  instance.minimizer.setConstant(1e-3);
  instance.constants = constants_of_hessians(instance.hessians);
  return instance;
}

TEST(Verdict, IsNoneWhereRoundingMayDoMoreThanTheMethod) {
  const auto verdict = [](double low) {
    const Instance instance = flat(low);
    return check_theorems(ground_of(instance), method_of("gd", {{"step", 1.0}}), {.rounds = 5}).theorems[0].verdict;
  };
  EXPECT_EQ(verdict(1e-3), Verdict::holds);
  EXPECT_EQ(verdict(1e-13), Verdict::undecided);
}

TEST(Verdict, TakesConvexityLostByRoundingForConvexity) {
  const Instance instance = flat(0.5);
  Ground ground = ground_of(instance);
  ground.constants.values.mu = ground.constants.values.mu_f = -1.2e-17;
  const TheoremCheckReport gd = check_theorems(ground, method_of("gd", {{"step", 1.0}}), {.rounds = 5});
  EXPECT_EQ(gd.theorems[1].theorem.name, "GD, convex");
  EXPECT_EQ(gd.theorems[1].verdict, Verdict::holds);
  EXPECT_EQ(check_theorems(ground, method_of("agd", {{"step", 1.0}}), {.rounds = 5}).verdict(), Verdict::holds);
}

// Two clients of curvature 1 and 199, said to be alike at the points where they were measured.
TEST(Verdict, IsNoViolationWhereConstantsWereMeasuredAtSinglePoints) {
  Instance instance{.start = Vector::Constant(2, 1.0), .minimizer = Vector::Zero(2), .minimum = 0.0};
  for (const double curvature : {1.0, 199.0}) {
    instance.hessians.push_back(Matrix::Identity(2, 2) * curvature);
    instance.clients.push_back(make_client(DenseQuadratic(instance.hessians.back(), Vector::Zero(2))));
  }
  instance.constants = constants_of_hessians(instance.hessians);
  const auto report = [&](double lambda, std::optional<Constants> everywhere, bool exact = false) {
    Ground ground = ground_of(instance);
    ground.constants.values.delta_A = 1e-9;
    ground.constants.exact = exact;
    ground.constants.everywhere = std::move(everywhere);
    return check_theorems(ground, method_of("dane", {{"lambda", lambda}}), {.rounds = 5});
  };
  const Constants& bounds = instance.constants;
  EXPECT_EQ(report(1.0, bounds, true).verdict(), Verdict::violated);
  EXPECT_EQ(report(1.0, bounds).verdict(), Verdict::undecided);
  EXPECT_EQ(report(1.0, std::nullopt).verdict(), Verdict::undecided);
  EXPECT_THAT(report(1.0, bounds).theorems[0].reason, HasSubstr("measured at single points"));
  EXPECT_EQ(report(99.0, bounds).verdict(), Verdict::holds);
  Constants too_small = bounds;
  too_small.delta_A = 0.5;
  EXPECT_EQ(report(1.0, too_small).verdict(), Verdict::violated) << "bounds that are valid everywhere convict";
}

TheoremCheckReport run_with(const std::vector<double>& ratios) {
  TheoremReport report{.theorem = {.name = "of a mean", .statement = "", .source = "", .in_expectation = true}};
  for (std::size_t r = 0; r < ratios.size(); ++r)
    report.rows.push_back({.round = r + 1, .bound = 1.0, .observed = ratios[r]});
  report.certain = report.rows;
  return {{report}};
}

TheoremReport judged(std::vector<TheoremCheckReport> runs) {
  std::vector<TheoremCheckReport*> pointers;
  std::vector<std::string> labels;
  for (TheoremCheckReport& run : runs) {
    labels.push_back(std::to_string(pointers.size()));
    pointers.push_back(&run);
  }
  judge_over_seeds(labels, pointers);
  return runs.front().theorems.front();
}

TheoremReport judged(std::size_t seeds, double ratio) {
  return judged(std::vector<TheoremCheckReport>(seeds, run_with({ratio, ratio, ratio})));
}

TEST(VerdictOverSeeds, NeedsAsManySeedsAsItSays) {
  EXPECT_EQ(judged(2, 3.1).verdict, Verdict::undecided);
  EXPECT_EQ(judged(2, 3.1).reason, "2 of 12 seeds");
  EXPECT_EQ(judged(SeedMean::seeds_needed - 1, 0.9).verdict, Verdict::undecided);
  EXPECT_EQ(judged(SeedMean::seeds_needed, 0.9).verdict, Verdict::holds);
  EXPECT_EQ(judged(SeedMean::seeds_needed, 2.0).verdict, Verdict::violated);
  EXPECT_EQ(judged(2, 100.0).verdict, Verdict::violated) << "few seeds are enough for what is far off";
}

// Exponential ratios with mean 1 in every round, the hardest case for the theorem.
TEST(VerdictOverSeeds, IsRarelyAFalseViolation) {
  Stream stream(7, Purpose::generator);
  int violated = 0;
  constexpr int experiments = 2000;
  for (int e = 0; e < experiments; ++e) {
    std::vector<TheoremCheckReport> runs;
    for (std::size_t seed = 0; seed < SeedMean::seeds_needed; ++seed) {
      std::vector<double> ratios(4);
      for (double& ratio : ratios) ratio = -std::log(stream.uniform(1e-300, 1.0));
      runs.push_back(run_with(ratios));
    }
    violated += judged(std::move(runs)).verdict == Verdict::violated ? 1 : 0;
  }
  EXPECT_LE(violated, SeedMean::level * experiments);
}

TEST(ForcedCheck, ShowsThatTheConclusionFailsWithItsAssumption) {
  const Instance instance = demo_quadratics();
  const MethodConfig method = method_of("gd", {{"step", 2.1 / instance.constants.L_f}});
  EXPECT_EQ(check_theorems(ground_of(instance), method).verdict(), Verdict::not_applicable);
  EXPECT_EQ(check_theorems(ground_of(instance), method, {.assumptions = Assumptions::ignored}).verdict(),
            Verdict::violated);
}

}  // namespace
}  // namespace driftless::test
