// A small study from the data to its tables: what resumes, what is left out, and what two methods may spend.
#include "driftless/reproduce/auto/study.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using testing::HasSubstr;

// Forty rows of two overlapping classes.
std::string small_set() {
  std::string text;
  for (int row = 0; row < 40; ++row) {
    const int a = (7 * row) % 11;
    const int b = (5 * row) % 13;
    text += (a + b + (row % 5) > 12 ? "+1 1:" : "-1 1:") + std::to_string(0.1 * a) + " 2:" + std::to_string(0.1 * b) +
            " 3:1\n";
  }
  return text;
}

struct StudyTest : testing::Test {
  TempFolder folder;
  AutoPlan plan;

  StudyTest() {
    folder.write("small.svm", small_set());
    plan.sets = {(folder / "small.svm").string()};
    plan.clients = {2};
    plan.methods = {"gd", "dane", "newton-cg"};
    plan.budget.gradients = 20000;
  }

  AutoStudy run(const std::string& out = "study", StopToken stop_token = {}) {
    return reproduce_auto(plan, {.out = folder / out, .threads = 2, .stop_token = std::move(stop_token)});
  }
  std::string file(const std::string& name) const { return TempFolder::read(folder / ("study/" + name)); }
};

using AutoStudyRun = StudyTest;

std::vector<AutoRecord> without_seconds(std::vector<AutoRecord> records) {
  for (AutoRecord& record : records)
    for (AutoResult& result : record.results) result.seconds = 0.0;
  return records;
}

TEST_F(AutoStudyRun, RunsEveryMethodInEveryCell) {
  const AutoStudy study = run();
  EXPECT_EQ(study.pending, 0U);
  ASSERT_EQ(study.records.size(), 4U);
  for (const AutoRecord& record : study.records) {
    EXPECT_EQ(record.rows, 40U);
    EXPECT_EQ(record.variables, 3U);
    EXPECT_EQ(record.gradients, plan.budget.gradients);
    ASSERT_EQ(record.results.size(), 3U);
    EXPECT_TRUE(record.find("newton-cg")->arrived()) << record.cell.name();
    EXPECT_TRUE(record.find("dane")->arrived()) << record.cell.name();
    EXPECT_EQ(record.find("newton-cg")->settings, 6U);
    EXPECT_EQ(record.find("dane")->settings, 6U);
  }
  EXPECT_THAT(file("auto.csv"), HasSubstr("newton-cg,arrived,"));
  EXPECT_TRUE(nlohmann::json::parse(file("auto.json")).at("complete"));
  EXPECT_THAT(file("auto.md"), HasSubstr("## The methods"));
}

TEST_F(AutoStudyRun, GivesTheSameForAnyNumberOfThreads) {
  const auto with = [&](std::size_t threads) {
    return without_seconds(
        reproduce_auto(plan, {.out = folder / ("t" + std::to_string(threads)), .threads = threads}).records);
  };
  EXPECT_EQ(with(1), with(3));
}

TEST_F(AutoStudyRun, StoppedAndContinuedItGivesTheSame) {
  const AutoStudy whole = run();
  std::atomic<int> polls = 0;  // threads ask, too
  const AutoStudy part = run("resumed", [&polls] { return ++polls > 40 ? StopSignal::interrupted : StopSignal::none; });
  EXPECT_GT(part.pending, 0U);
  const AutoStudy resumed = run("resumed");
  EXPECT_EQ(resumed.pending, 0U);
  EXPECT_EQ(without_seconds(resumed.records), without_seconds(whole.records));
}

TEST_F(AutoStudyRun, AMethodThatIsNewRunsInCellsThatAreFinished) {
  plan.methods = {"gd"};
  run();
  plan.methods = {"gd", "newton-cg"};
  const AutoStudy study = run();
  EXPECT_EQ(study.pending, 0U);
  for (const AutoRecord& record : study.records) EXPECT_TRUE(record.find("newton-cg")->arrived());
}

TEST_F(AutoStudyRun, AMethodIsRunAgainWhereThatIsAsked) {
  run();
  plan.methods = {"gd"};
  const AutoStudyOptions again{.out = folder / "study", .seconds = 0.0, .again = {"newton-cg"}};
  const AutoStudy study = reproduce_auto(plan, again);  // forgets it, and has no time to run anything
  for (const AutoRecord& record : study.records) {
    EXPECT_EQ(record.find("newton-cg"), nullptr);
    EXPECT_NE(record.find("dane"), nullptr);
  }
}

TEST_F(AutoStudyRun, WhatCannotBeIsListedWithItsReason) {
  plan.clients = {41};
  plan.sets.push_back("no-such-set");
  const AutoStudy study = run();
  EXPECT_EQ(study.pending, 0U);
  ASSERT_EQ(study.records.size(), 4U);
  for (const AutoRecord& record : study.records) EXPECT_THAT(record.impossible, HasSubstr("more clients than rows"));
  ASSERT_EQ(study.missing.size(), 1U);
  EXPECT_EQ(study.missing.front().first, "no-such-set");
  EXPECT_THAT(auto_markdown(study), HasSubstr("no-such-set"));
}

TEST_F(AutoStudyRun, MethodsWithMatricesAreLeftOutWhereTheyDoNotFit) {
  EXPECT_FALSE(forms_matrices(find_method("gd")));
  EXPECT_FALSE(forms_matrices(find_method("newton-cg")));
}

TEST_F(AutoStudyRun, TheBudgetIsTheSameForEveryMethodAndSmallerForLargeData) {
  const AutoBudget budget;
  EXPECT_EQ(budget.gradients_for(1000, 10, 5), budget.gradients);
  EXPECT_EQ(budget.gradients_for(100'000'000, 10, 5), budget.least_gradients);
  EXPECT_EQ(budget.gradients_for(980'000, 50, 40), 4000U);  // 4e9 numbers, 1e6 in an evaluation
}

TEST_F(AutoStudyRun, UnknownMethodsAreRejectedByName) {
  plan.methods = {"newton-gc"};
  expect_error<ConfigError>([&] { run(); }, {"newton-gc", "newton-cg"});
  plan.methods = {"gd"};
  expect_error<ConfigError>([&] { reproduce_auto(plan, {.out = folder / "study", .again = {"dame"}}); }, {"dame"});
}

TEST_F(AutoStudyRun, AnotherBudgetOrOtherFilesInTheFolderAreRejected) {
  run();
  plan.budget.exchanges = 10;
  expect_error<ConfigError>([&] { run(); }, {"exchanges = 300", "10"});
  folder.write("notes.txt", "x");
  expect_error<ConfigError>([&] { reproduce_auto(plan, {.out = folder.path()}); }, {"other files"});
}

TEST_F(AutoStudyRun, ADamagedFileIsADataErrorWithItsLine) {
  run();
  std::string text = file("study.jsonl");
  text[text.rfind("newton-cg")] = 'N';
  folder.write("study/study.jsonl", text);
  expect_error<DataError>([&] { run(); }, {"study.jsonl:5"});
}

TEST_F(AutoStudyRun, OtherDataUnderTheSameNameIsNoticed) {
  run();
  folder.write("small.svm", small_set() + "+1 1:3\n");
  plan.methods.emplace_back("agd");
  const AutoStudy study = run();
  ASSERT_EQ(study.missing.size(), 1U);
  EXPECT_THAT(study.missing.front().second, HasSubstr("not what the study began with"));
}

TEST(AutoFileTest, GivesBackWhatWasPut) {
  const TempFolder folder;
  const AutoArrival arrival{.setting = "lambda = 1",
                            .cost = {.rounds = 1, .exchanges = 2, .bytes = 3, .grad_evals = 4}};
  const AutoRecord record{
      .cell = {.data = "w8a", .clients = 142, .split = Split::dirichlet},
      .rows = 7,
      .variables = 5,
      .entries = 11,
      .digest = "d",
      .gradients = 600,
      .results = {{.method = "auto",
                   .end = AutoEnd::arrived,
                   .best = arrival,
                   .fewest_bytes = arrival,
                   .fewest_gradients = arrival,
                   .note = "newton",
                   .settings = 1,
                   .gradients = 4,
                   .seconds = 0.25},
                  {.method = "gd", .end = AutoEnd::too_slow, .nearest = "step = 1", .part = 1.0 / 3}},
      .impossible = ""};
  AutoFile(folder / "", {}).put(record);
  EXPECT_EQ(AutoFile(folder / "", {}).records(), std::vector{record});
}

}  // namespace
}  // namespace driftless
