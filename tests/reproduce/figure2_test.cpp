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

Figure2Run run_of(std::initializer_list<std::uint64_t> rounds) {
  Figure2Run run;
  std::size_t t = 0;
  for (const std::uint64_t r : rounds)
    run[t++] = Cost{.rounds = r, .exchanges = 2 * r, .bytes = 1, .grad_evals = 9 * r};
  return run;
}

TEST(Figure2, TunesEveryMethodOnTheFirstDrawAndRunsTheWinnersOnAll) {
  const TempFolder folder;
  const Figure2Plan plan{.sets = {"generated", "no-such-set"},
                         .alphas = {0.5},
                         .draws = 2,
                         .seeds = 2,
                         .rounds = 4,
                         .gradients = 40,
                         .settings = 10};
  const Figure2 figure = reproduce_figure2(plan, {.out = folder / "out"});
  EXPECT_TRUE(figure.complete);
  EXPECT_EQ(figure.missing, std::vector<std::string>{"no-such-set"});
  ASSERT_EQ(figure.lines.size(), 6U);
  std::size_t tried = 0;
  for (const Figure2Line& line : figure.lines) {
    tried += line.found.tried;
    EXPECT_LE(line.found.tried, plan.settings) << line.method;
    EXPECT_LT(line.found.trial.part, 1.0) << line.method;
    const bool coins = line.method == "scaffnew" || line.method == "fedred-gd";
    EXPECT_EQ(line.runs.size(), coins ? 4U : 2U) << line.method;
  }
  const std::string trials = TempFolder::read(folder / "out/generated-alpha0.5-search.csv");
  EXPECT_EQ(std::ranges::count(trials, '\n'), static_cast<std::ptrdiff_t>(tried + 1));
  ASSERT_EQ(figure.cases.size(), 1U);
  const Figure2Case& c = figure.cases[0];
  ASSERT_EQ(c.at_zero.size(), 2U);
  EXPECT_NE(c.at_zero[0].delta_A, c.at_zero[1].delta_A) << "draws divide the rows differently";
  EXPECT_NEAR(c.at_zero[0].L_f, c.at_zero[1].L_f, 1e-2 * c.at_zero[0].L_f) << "and divide the same rows";
  EXPECT_GT(c.at_zero[0].L, c.at_optimum[0].L);
  for (const char* file :
       {"generated-alpha0.5-search.toml", "generated-alpha0.5-draw1.toml", "generated-alpha0.5-draw2/gd/metrics.csv",
        "generated-alpha0.5-draw2/fedred-gd-2/metrics.csv", "figure2-generated-alpha0.5.svg", "figure2.md"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("out/" + std::string(file)))) << file;
  EXPECT_NE(TempFolder::read(folder / "out/generated-alpha0.5-search.toml").find("seeds = 2"), std::string::npos);
  const auto json = nlohmann::json::parse(figure2_json(figure, plan));
  EXPECT_EQ(json.at("draws"), 2);
  EXPECT_EQ(json.at("lines").size(), 6U);
}

TEST(Figure2, EvenSplitsHaveOneCaseEach) {
  const TempFolder folder;
  const Figure2Plan plan{.sets = {"generated"},
                         .split = Figure2Split::iid,
                         .draws = 1,
                         .seeds = 1,
                         .rounds = 2,
                         .gradients = 20,
                         .settings = 4};
  const Figure2 figure = reproduce_figure2(plan, {.out = folder / "out"});
  ASSERT_EQ(figure.cases.size(), 1U);
  EXPECT_EQ(figure.cases[0].name(), "generated-iid");
  EXPECT_EQ(nlohmann::json::parse(figure2_json(figure, plan)).at("split"), "iid");
}

TEST(Figure2, SettingsAreTheSameMultiplesOfLOnEveryDraw) {
  const Constants from{.L = 2.0, .L_f = 1.0};
  const Constants to{.L = 8.0, .L_f = 1.5};
  const Settings chosen{{"step", 3.0}, {"eta", 2.0}, {"lambda", 0.5}, {"p", 0.1}, {"local_steps", std::int64_t{7}}};
  const Settings expected{{"step", 0.75}, {"eta", 8.0}, {"lambda", 2.0}, {"p", 0.1}, {"local_steps", std::int64_t{7}}};
  EXPECT_EQ(rescaled("fedred-gd", chosen, from, to), expected);
  EXPECT_EQ(rescaled("gd", {{"step", 3.0}}, from, to), (Settings{{"step", 2.0}}));
}

TEST(Figure2, ARunThatDidNotComeThereCountsAsInfinite) {
  std::vector<Figure2Run> runs{run_of({4, 8}), run_of({2}), run_of({6})};
  const Figure2Median easy = median_of(runs, 0, &Cost::rounds);
  EXPECT_EQ(easy.middle, 4.0);
  EXPECT_EQ(easy.least, 2.0);
  EXPECT_EQ(easy.most, 6.0);
  const Figure2Median hard = median_of(runs, 1, &Cost::rounds);
  EXPECT_FALSE(hard.middle.has_value());
  EXPECT_EQ(hard.least, 8.0);
  EXPECT_FALSE(hard.most.has_value());
  EXPECT_FALSE(median_of(runs, 2, &Cost::rounds).least.has_value());
  runs.push_back(run_of({8}));
  EXPECT_EQ(median_of(runs, 0, &Cost::exchanges).middle, 10.0);  // between 8 and 12
}

TEST(Figure2, ThePageSaysWhatWasNotReachedNotSettledAndNotAvailable) {
  Figure2 figure;
  figure.missing = {"w8a", "mine"};
  figure.cases.push_back({.data = "duke", .alpha = 0.5, .at_zero = {}, .at_optimum = {}});
  Figure2Line line{.of = 0,
                   .method = "fedred-gd",
                   .options = "p = 0.1",
                   .found = {},
                   .runs = {run_of({4, 9}), run_of({5}), run_of({7})}};
  line.found.tried = 40;
  figure.lines.push_back(line);
  const std::string page = figure2_markdown(figure, {.sets = {}});
  EXPECT_NE(
      page.find("| duke | 0.5 | fedred-gd | p = 0.1 | 5 [4–7] / 10 / 45 | ∞ [9–∞] | – | 0 of 3 | 40, not settled |"),
      std::string::npos)
      << page;
  EXPECT_NE(page.find("w8a was not found: driftless data get w8a"), std::string::npos);
  EXPECT_NE(page.find("mine was not found: give a path"), std::string::npos);
}

}  // namespace
}  // namespace driftless
