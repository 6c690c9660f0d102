#include "driftless/reproduce/figure2.hpp"

#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

TEST(Figure2, KnowsEverySetOfTwoClassesAndNoTestPart) {
  const std::vector<std::string> sets = figure2_all_sets();
  for (const char* set : {"generated", "mushrooms", "ijcnn1", "w8a", "duke", "a9a", "phishing", "colon-cancer"})
    EXPECT_EQ(std::ranges::count(sets, set), 1) << set;
  for (const char* set : {"news20", "a9a.t", "w8a.t"}) EXPECT_EQ(std::ranges::count(sets, set), 0) << set;
}

TEST(Figure2, TunesEveryMethodWithinTheSameBudgetAndLeavesWhatItUsed) {
  const TempFolder folder;
  const Figure2Plan plan{
      .sets = {"generated", "no-such-set"}, .split = Figure2Split::iid, .rounds = 4, .gradients = 40, .settings = 10};
  const Figure2 figure = reproduce_figure2(plan, {.out = folder / "out"});
  EXPECT_TRUE(figure.complete);
  EXPECT_EQ(figure.missing, std::vector<std::string>{"no-such-set"});
  ASSERT_EQ(figure.lines.size(), 6U);
  for (const Figure2Line& line : figure.lines) {
    EXPECT_LE(line.found.tried, plan.settings) << line.method;
    EXPECT_LT(line.found.trial.part, 1.0) << line.method;
    EXPECT_EQ(line.found.trial.at.size(), figure2_targets.size()) << line.method;
    const bool coins = line.method == "scaffnew" || line.method == "fedred-gd";
    EXPECT_EQ(line.rounds_over_seeds.size(), coins ? figure2_targets.size() : 0U) << line.method;
  }
  std::size_t tried = 0;
  for (const Figure2Line& line : figure.lines) tried += line.found.tried;
  const std::string trials = TempFolder::read(folder / "out/generated-search.csv");
  EXPECT_EQ(std::ranges::count(trials, '\n'), static_cast<std::ptrdiff_t>(tried + 1));
  ASSERT_EQ(figure.sets.size(), 1U);
  EXPECT_GT(figure.sets[0].at_zero.delta_A, 0.0);
  EXPECT_GT(figure.sets[0].at_zero.L, figure.sets[0].at_optimum.L);
  for (const char* file :
       {"generated-search.toml", "generated-search.csv", "generated.toml", "generated/gd/metrics.csv",
        "generated/fedred-gd-5/metrics.csv", "figure2-generated.svg", "figure2.md"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("out/" + std::string(file)))) << file;
  const auto json = nlohmann::json::parse(figure2_json(figure, plan));
  EXPECT_EQ(json.at("split"), "iid");
  EXPECT_EQ(json.at("lines").size(), 6U);
}

TEST(Figure2, ThePageSaysWhatWasNotReachedNotSettledAndNotAvailable) {
  Figure2 figure;
  figure.missing = {"w8a", "mine"};
  Figure2Line line{
      .data = "duke", .method = "fedred-gd", .options = "p = 0.1", .found = {}, .rounds_over_seeds = {4.2, -1.0, -1.0}};
  line.found.tried = 40;
  line.found.trial.part = 3e-5;
  line.found.trial.at = {Cost{.rounds = 4, .exchanges = 9, .bytes = 1, .grad_evals = 80}, std::nullopt, std::nullopt};
  figure.lines.push_back(line);
  const std::string page = figure2_markdown(figure, {.sets = {}});
  EXPECT_NE(page.find("| duke | fedred-gd | p = 0.1 | 4 / 9 / 80 | – | – | 3.0e-05 | 4.2, –, – | 40, not settled |"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("w8a was not found: driftless data get w8a"), std::string::npos);
  EXPECT_NE(page.find("mine was not found: give a path"), std::string::npos);
}

}  // namespace
}  // namespace driftless
