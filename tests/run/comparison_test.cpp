#include "driftless/run/comparison.hpp"

#include "driftless/run/measured_constants.hpp"

#include "tests/data/temp_folder.hpp"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

RunConfig config_of(const TempFolder& folder, const std::string& text) {
  return read_config(folder.write("problem.toml", text), {}, MethodTables::optional);
}

const std::string quadratic =
    "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 200\n";
const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 8\n"
                             "nonzeros_per_row = 4\nl2 = 0.01\n[federation]\nclients = 4\n[stop]\nrounds = 2000\n";

TEST(MeasuredConstants, AreTheExactOnesOfQuadratics) {
  const TempFolder folder;
  ThreadPool pool(2);
  const Problem problem = make_problem(config_of(folder, quadratic), pool);
  const std::array<Vector, 2> points{problem.start, Vector::Zero(30)};
  const Constants measured = measured_constants(problem.clients, points, pool);
  const Constants& exact = *problem.constants;
  EXPECT_EQ(measured.clients, exact.clients);
  EXPECT_NEAR(measured.L, exact.L, 1e-10 * exact.L);
  EXPECT_NEAR(measured.mu, exact.mu, 1e-10);
  EXPECT_NEAR(measured.delta_A, exact.delta_A, 1e-10);
  EXPECT_NEAR(measured.delta_1, exact.delta_1, 1e-10);
}

TEST(MeasuredConstants, TakeTheWorstOfThePoints) {
  const TempFolder folder;
  ThreadPool pool(2);
  const Problem problem = make_problem(config_of(folder, logistic), pool);
  const Vector zero = Vector::Zero(8);
  const Vector far = Vector::Constant(8, 3.0);
  const auto at = [&](const std::vector<Vector>& points) { return measured_constants(problem.clients, points, pool); };
  const Constants both = at({zero, far});
  // The logistic loss bends most at 0, and least far away.
  EXPECT_EQ(both.L, at({zero}).L);
  EXPECT_EQ(both.mu, at({far}).mu);
  EXPECT_EQ(both.delta_A, std::max(at({zero}).delta_A, at({far}).delta_A));
  EXPECT_GE(both.mu, 0.01);  // l2
}

TEST(Comparison, CountsUpToTheTargetOrSaysWhyNot) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, quadratic), {.methods = {"dane", "fedavg", "gd"}});
  ASSERT_EQ(c.lines.size(), 3U);
  EXPECT_TRUE(c.constants.exact);
  EXPECT_TRUE(c.lines[0].trial.reached());
  EXPECT_LE(c.lines[0].trial.part, comparison_target);
  EXPECT_EQ(c.lines[0].trial.last.exchanges, 2 * c.lines[0].trial.last.round);
  EXPECT_EQ(remark(c.lines[0]), "");
  EXPECT_FALSE(c.lines[2].trial.reached());
  EXPECT_THAT(remark(c.lines[2]), testing::StartsWith("not within the rounds allowed"));
}

TEST(Comparison, MeasuresTheConstantsWhereTheyAreNotKnown) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, logistic), {.methods = {"agd"}});
  EXPECT_FALSE(c.constants.exact);
  EXPECT_TRUE(c.lines[0].trial.reached());
}

TEST(Comparison, NeedsTheOptimum) {
  const TempFolder folder;
  const RunConfig config = config_of(folder, "[problem]\nkind = \"quadratic\"\nclass = \"non-convex\"\nbeta = 400\n"
                                             "dim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 2\n");
  EXPECT_THROW(compare_methods(config, {.methods = {"gd"}}), ConfigError);
}

TEST(Comparison, EndsWhenAsked) {
  const TempFolder folder;
  const Comparison c =
      compare_methods(config_of(folder, quadratic), {.methods = {"gd", "agd"}, .progress = false, .asked_to_stop = [] {
                                                       return std::optional(ExitCode::interrupted);
                                                     }});
  EXPECT_TRUE(c.interrupted);
  EXPECT_TRUE(c.lines.empty());
}

}  // namespace
}  // namespace driftless
