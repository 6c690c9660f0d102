#include "driftless/experiments/comparison.hpp"

#include "driftless/experiments/run_config.hpp"

#include "tests/support/temp_folder.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

RunConfig config_of(const TempFolder& folder, const std::string& text) {
  return read_config(folder.write("problem.toml", text), {}, MethodTables::optional);
}

const std::string quadratic =
    "[problem]\nkind = \"quadratic\"\ndim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 200\n";
const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 8\n"
                             "nonzeros_per_row = 4\nl2 = 0.01\n[federation]\nclients = 4\n[stop]\nrounds = 2000\n";

TEST(Comparison, CountsUntilTheTargetOrExplainsWhyNot) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, quadratic), {.methods = {"dane", "fedavg", "gd"}});
  ASSERT_EQ(c.lines.size(), 3U);
  EXPECT_TRUE(c.constants->exact);
  EXPECT_TRUE(c.lines[0].trial.reached());
  EXPECT_LE(c.lines[0].trial.gap_left(), 1e-8);
  EXPECT_EQ(c.lines[0].trial.last().exchanges, 2 * c.lines[0].trial.last().round);
  EXPECT_EQ(remark(c, c.lines[0]), "");
  EXPECT_FALSE(c.lines[2].trial.reached());
  EXPECT_THAT(remark(c, c.lines[2]), testing::StartsWith("not within the rounds allowed"));
}

TEST(Comparison, CountsAtEveryTargetAndCollapsesThoseNobodyReached) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, quadratic + "[[method]]\nname = \"gd\"\nstep = 1e-4\n"),
                                       {.methods = {"gd"}, .targets = {1e-12, 0.5, 1e-9, 0.05}});
  EXPECT_THAT(c.targets, testing::ElementsAre(0.5, 0.05, 1e-9, 1e-12));
  const std::string text = comparison_text(c);
  EXPECT_THAT(text, testing::HasSubstr("5e-1 of the first gap  rounds"));
  EXPECT_THAT(text, testing::HasSubstr("seconds"));
  EXPECT_THAT(text, testing::HasSubstr("1e-9, 1e-12 of the first gap: reached by nobody within this budget"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("not reached")));
  EXPECT_THAT(text, testing::HasSubstr("gap left"));
  const nlohmann::json line =
      nlohmann::json::parse(comparison_json(std::span(&c, 1))).at("problems")[0].at("methods")[0];
  EXPECT_LT(line.at("at")[0].at("rounds"), line.at("at")[1].at("rounds"));
  EXPECT_TRUE(line.at("at")[3].is_null());
  EXPECT_TRUE(line.at("settings").at("step").is_number());
}

TEST(Comparison, HasWhatAMethodChoseAsAFootnote) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, quadratic), {.methods = {"auto", "gd"}});
  ASSERT_TRUE(c.lines[0].trial.decision);
  const std::string note = "auto chose " + c.lines[0].trial.decision->chosen + ": ";
  EXPECT_THAT(comparison_text(c), testing::HasSubstr("\n" + note));
  EXPECT_THAT(comparison_markdown(c), testing::HasSubstr("\n" + note));
  const nlohmann::json methods =
      nlohmann::json::parse(comparison_json(std::span(&c, 1))).at("problems")[0].at("methods");
  EXPECT_EQ(methods[0].at("decision").at("chosen"), c.lines[0].trial.decision->chosen);
  EXPECT_FALSE(methods[1].contains("decision"));
}

ComparisonLine line_of(const std::string& method, std::span<const double> gaps) {
  ComparisonLine line{.method = method, .label = method, .settings = {}, .trial = {.reason = StopReason::rounds}};
  for (const double gap : gaps) line.trial.rows.push_back({.round = line.trial.rows.size(), .f_gap = gap});
  return line;
}

TEST(Comparison, NamesACauseOnlyWhereItWasSeen) {
  std::vector<double> falling;
  std::vector<double> stuck;
  for (int k = 0; k < 100; ++k) {
    falling.push_back(std::pow(0.95, k));
    stuck.push_back(std::max(std::pow(0.8, k), 0.01));
  }
  Comparison c;
  c.lines = {line_of("fedavg", falling), line_of("gd", falling)};
  EXPECT_THAT(remark(c, c.lines[0]), testing::StartsWith("not within the rounds allowed"));
  c.lines[0] = line_of("fedavg", stuck);
  EXPECT_THAT(remark(c, c.lines[0]), testing::StartsWith("does not reach it: clients drift"));
  c.lines = {line_of("fedavg", falling), line_of("gd", falling)};
  c.lines[1].trial.rows.back().f_gap = 1e-6;
  EXPECT_THAT(remark(c, c.lines[0]), testing::StartsWith("does not reach it: clients drift"));
}

TEST(Comparison, MeasuresTheConstantsWhereTheyAreNotKnown) {
  const TempFolder folder;
  const Comparison c = compare_methods(config_of(folder, logistic), {.methods = {"agd"}});
  EXPECT_FALSE(c.constants->exact);
  EXPECT_TRUE(c.lines[0].trial.reached());
}

TEST(Comparison, TablesAddLinesWithTheirOptionsAndTheTheorysForTheRest) {
  const TempFolder folder;
  const RunConfig config =
      config_of(folder, quadratic + "[[method]]\nname = \"randprox\"\nlabel = \"half\"\nkeep = 0.5\n"
                                    "step = \"theory\"\np = \"theory\"\n"
                                    "[[method]]\nname = \"gd\"\nstep = 0.001\n");
  const ComparisonOptions with_tables{.methods = {"randprox"}, .tables = true};
  const Comparison c = compare_methods(config, with_tables);
  ASSERT_EQ(c.lines.size(), 2U);  // gd was not asked for
  EXPECT_EQ(c.lines[0].label, "randprox");
  EXPECT_EQ(c.lines[1].label, "half");
  EXPECT_EQ(c.lines[1].settings,
            (Settings{{"keep", 0.5}, {"step", 0.01}, {"p", 2.0 * std::sqrt(0.01 * c.constants->values.mu)}}));
  EXPECT_EQ(compare_methods(config, {.methods = {"randprox"}}).lines.size(), 1U);
}

TEST(Comparison, NeedsTheOptimum) {
  const TempFolder folder;
  const RunConfig config = config_of(folder, "[problem]\nkind = \"quadratic\"\nclass = \"non-convex\"\nbeta = 400\n"
                                             "dim = 30\n[federation]\nclients = 5\n[stop]\nrounds = 2\n");
  EXPECT_THROW(compare_methods(config, {.methods = {"gd"}}), ConfigError);
}

TEST(Comparison, EndsWhereAStopIsRequested) {
  const TempFolder folder;
  const Comparison c = compare_methods(
      config_of(folder, quadratic),
      {.methods = {"gd", "agd"}, .progress = false, .stop_token = [] { return StopSignal::interrupted; }});
  EXPECT_TRUE(c.interrupted);
  EXPECT_TRUE(c.lines.empty());
}

TEST(Comparison, ReportsAnInterruptionWhileTheConstantsAreMeasured) {
  const TempFolder folder;
  const Comparison c =
      compare_methods(config_of(folder, logistic),
                      {.methods = {"gd"}, .progress = false, .stop_token = [] { return StopSignal::interrupted; }});
  EXPECT_TRUE(c.interrupted);
  EXPECT_FALSE(c.constants.has_value());
  EXPECT_THAT(comparison_text(c), testing::HasSubstr("interrupted while its constants were measured"));
}

}  // namespace
}  // namespace driftless
