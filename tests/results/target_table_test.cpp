#include "driftless/results/target_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

// Gap 10^−k after k·scale rounds; two exchanges, 100 bytes and three gradients a round.
MethodOutcome run_of(const std::string& name, const std::string& label, std::uint64_t scale, int decades) {
  MethodOutcome outcome;
  const bool gd = name == "gd";
  outcome.method = {.name = name, .label = label, .seed = scale, .output = OutputPoint::last, .settings = {}};
  outcome.method.settings = gd ? Settings{{"step", 0.1}} : Settings{{"lambda", 1.0}, {"eta", 1.0}, {"p", 0.5}};
  for (int k = 0; k <= decades; ++k) {
    const std::uint64_t round = scale * static_cast<std::uint64_t>(k);
    outcome.rows.push_back({.round = round,
                            .exchanges = 2 * round,
                            .bytes_up = 60 * round,
                            .bytes_down = 40 * round,
                            .grad_evals = 3 * round,
                            .f_gap = std::pow(10.0, -k),
                            .grad_norm = 1.0});
  }
  return outcome;
}

TEST(TargetTable, FindsTheFirstRoundAtEachTarget) {
  const MethodOutcome outcome = run_of("gd", "gd", 10, 5);
  EXPECT_EQ(first_at(outcome.rows, 1e-2)->round, 20U);
  EXPECT_EQ(first_at(outcome.rows, 1e-4)->round, 40U);
  EXPECT_EQ(first_at(outcome.rows, 1e-6), nullptr);
}

TEST(TargetTable, UsesTheGradientNormWhereTheOptimumIsUnknown) {
  std::vector<TraceRow> rows{
      {.round = 0, .grad_norm = 8.0}, {.round = 1, .grad_norm = 0.08}, {.round = 2, .grad_norm = 0.0008}};
  EXPECT_EQ(yardstick_of(rows), Yardstick::grad_norm);
  EXPECT_EQ(first_at(rows, 1e-4)->round, 2U);
}

TEST(TargetTable, NotANumberNeverReachesATarget) {
  std::vector<TraceRow> rows{{.round = 0, .f_gap = 1.0}, {.round = 1, .f_gap = std::nan("")}};
  EXPECT_EQ(first_at(rows, 1e-2), nullptr);
}

TEST(TargetTable, RatiosAreToTheFirstGdAtAnyPosition) {
  const std::vector<MethodOutcome> outcomes{run_of("fedred-gd", "fedred-gd", 5, 8), run_of("gd", "slow", 20, 8)};
  const TargetTable table = target_table(outcomes);
  EXPECT_EQ(table.baseline, "slow");
  ASSERT_EQ(table.blocks.size(), 4U);
  EXPECT_DOUBLE_EQ(*table.blocks[0].lines[0].rounds_ratio, 0.25);
  EXPECT_DOUBLE_EQ(*table.blocks[0].lines[1].exchanges_ratio, 1.0);
  EXPECT_DOUBLE_EQ(table.blocks[1].lines[0].bytes.mean, 2000.0);
}

TEST(TargetTable, MethodsThatDifferOnlyInSeedAreSummedUp) {
  const std::vector<MethodOutcome> outcomes{run_of("gd", "gd", 20, 8), run_of("fedred-gd", "a", 4, 8),
                                            run_of("fedred-gd", "b", 6, 8)};
  const TargetTable table = target_table(outcomes);
  ASSERT_EQ(table.blocks[0].lines.size(), 4U);
  const TargetLine& both = table.blocks[0].lines[3];
  EXPECT_EQ(both.label, "fedred-gd (2 seeds)");
  EXPECT_DOUBLE_EQ(both.rounds.mean, 10.0);
  EXPECT_DOUBLE_EQ(both.rounds.least, 8.0);
  EXPECT_DOUBLE_EQ(both.rounds.most, 12.0);
  EXPECT_DOUBLE_EQ(*both.rounds_ratio, 0.25);
  EXPECT_THAT(table_text(table), HasSubstr("10.0 [8–12]"));
}

TEST(TargetTable, MethodsWithOtherOptionsAreNotSummedUp) {
  std::vector<MethodOutcome> outcomes{run_of("fedred-gd", "a", 4, 8), run_of("fedred-gd", "b", 6, 8)};
  outcomes[1].method.settings[0].second = 2.0;
  EXPECT_EQ(target_table(outcomes).blocks[0].lines.size(), 2U);
}

TEST(TargetTable, MarksTargetsThatWereNotReached) {
  const std::vector<MethodOutcome> outcomes{run_of("gd", "gd", 20, 8), run_of("fedred-gd", "a", 4, 8),
                                            run_of("fedred-gd", "b", 6, 3)};
  const std::string text = table_text(target_table(outcomes));
  EXPECT_THAT(text, HasSubstr("not reached"));
  EXPECT_THAT(text, HasSubstr("not reached by 1 of 2"));
}

TEST(TargetTable, TargetsThatNobodyReachedShareOneLine) {
  const std::vector<MethodOutcome> outcomes{run_of("gd", "gd", 20, 4), run_of("fedred-gd", "a", 4, 3)};
  const std::string text = table_text(target_table(outcomes));
  EXPECT_THAT(text, HasSubstr("1e-4 of the first gap"));
  EXPECT_THAT(text, HasSubstr("\n1e-6, 1e-8 of the first gap: reached by nobody\n"));
  EXPECT_THAT(text, Not(HasSubstr("1e-8 of the first gap  ")));
  const std::vector<MethodOutcome> none{run_of("gd", "gd", 20, 1)};
  EXPECT_EQ(table_text(target_table(none)), "1e-2, 1e-4, 1e-6, 1e-8 of the first gap: reached by nobody\n\n");
}

TEST(TargetTable, SolvesWithoutGradientsAreExactAndNotZeroGradients) {
  MethodOutcome exact = run_of("fedred-gd", "a", 4, 8);
  for (TraceRow& row : exact.rows) row.grad_evals = 0;
  const std::string text = table_text(target_table(std::vector{run_of("gd", "gd", 20, 8), exact}));
  EXPECT_THAT(text, testing::ContainsRegex("\na +8 +16 +800 B +exact"));
}

TEST(TargetTable, ShowsTitlesAndKeepsLabels) {
  std::vector<MethodOutcome> outcomes{run_of("gd", "gd", 20, 8), run_of("fedred-gd", "a", 4, 8),
                                      run_of("fedred-gd", "b", 6, 8)};
  outcomes[1].method.title = outcomes[2].method.title = "FedRed, λ = 1";
  const TargetTable table = target_table(outcomes);
  EXPECT_EQ(table.blocks[0].lines[1].label, "a");
  const std::string text = table_text(table);
  EXPECT_THAT(text, HasSubstr("FedRed, λ = 1  "));
  EXPECT_THAT(text, HasSubstr("FedRed, λ = 1 (2 seeds)"));
  EXPECT_THAT(endings_text(outcomes), HasSubstr("FedRed, λ = 1  "));
}

}  // namespace
}  // namespace driftless
