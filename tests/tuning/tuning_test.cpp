// The search itself, in memory.
#include "driftless/tuning/tuning.hpp"

#include "driftless/problems/make_problem.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include "tests/support/temp_folder.hpp"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using testing::ElementsAre;

const std::string problem = "[problem]\nkind = \"quadratic\"\ndim = 20\nL = 100\n[federation]\nclients = 4\n";

TuneConfig config_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TempFolder folder;
  return read_tune_config(folder.write("tune.toml", problem + text), overrides);
}

TuneConfig steps(const std::string& list, const std::string& tune) {
  return config_of("[[method]]\nname = \"gd\"\n[method.search]\nstep = " + list + "\n[tune]\n" + tune);
}

TuningResult quiet(const TuneConfig& config) { return tune(config, {.files = false}); }

double chosen(const Settings& settings, std::size_t at = 0) { return std::get<double>(settings.at(at).second); }

TEST(SearchSpace, GridTakesEveryCombinationWithTheLastOptionFastest) {
  const SearchSpace space{{"a", std::vector<OptionValue>{1.0, 2.0}},
                          {"b", std::vector<OptionValue>{std::string("x"), std::string("y"), std::string("z")}}};
  std::vector<std::string> texts;
  for (const Settings& point : grid(space)) texts.push_back(settings_text(point));
  EXPECT_THAT(texts, ElementsAre("a = 1, b = \"x\"", "a = 1, b = \"y\"", "a = 1, b = \"z\"", "a = 2, b = \"x\"",
                                 "a = 2, b = \"y\"", "a = 2, b = \"z\""));
  EXPECT_EQ(grid_size(space), 6U);
  EXPECT_EQ(grid({}).size(), 1U);
}

TEST(SearchSpace, GridOfARangeHasItsEndsAndEqualStepsOnItsScale) {
  SearchRange range{.low = 0.01, .high = 1.0, .scale = Scale::log, .count = 3};
  const std::vector<OptionValue> values = grid_values({"p", range});
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(std::get<double>(values[0]), 0.01);
  EXPECT_NEAR(std::get<double>(values[1]), 0.1, 1e-15);
  EXPECT_EQ(std::get<double>(values[2]), 1.0);
  range = {.low = 1, .high = 3, .count = 5, .whole = true};
  EXPECT_THAT(grid_values({"k", range}),
              ElementsAre(OptionValue(std::int64_t{1}), OptionValue(std::int64_t{2}), OptionValue(std::int64_t{3})));
}

TEST(SearchSpace, DrawsStayInRangeCoverItAndRepeat) {
  const SearchSpace space{{"p", SearchRange{.low = 0.001, .high = 10.0, .scale = Scale::log}},
                          {"k", SearchRange{.low = 1, .high = 3, .whole = true}}};
  std::array<std::size_t, 4> decades{};
  std::array<std::size_t, 3> whole{};
  for (std::size_t trial = 0; trial < 400; ++trial) {
    Stream stream(7, Purpose::search, 0, trial);
    Stream again(7, Purpose::search, 0, trial);
    const Settings drawn = draw(space, stream);
    EXPECT_EQ(drawn, draw(space, again));
    const double p = chosen(drawn);
    ASSERT_TRUE(p >= 0.001 && p <= 10.0) << p;
    ++decades[static_cast<std::size_t>(std::min(3.0, std::floor(std::log10(p) + 3.0)))];
    ++whole.at(static_cast<std::size_t>(std::get<std::int64_t>(drawn[1].second) - 1));
  }
  for (const std::size_t count : decades) EXPECT_GT(count, 60U);  // 100 each on average
  for (const std::size_t count : whole) EXPECT_GT(count, 90U);    // 133 each on average
}

TEST(SearchSpace, KnowsTheEndsOfWhatItTries) {
  const SearchAxis range{.option = "x", .values = SearchRange{.low = 1e-4, .high = 1.0, .scale = Scale::log}};
  EXPECT_EQ(end_of(range, 1e-4), End::low);
  EXPECT_EQ(end_of(range, 0.9), End::high) << "a draw near the end";
  EXPECT_EQ(end_of(range, 0.01), End::none);
  const SearchAxis list{.option = "x", .values = std::vector<OptionValue>{2.0, 0.5, 1.0}};
  EXPECT_EQ(end_of(list, 0.5), End::low);
  EXPECT_EQ(end_of(list, 2.0), End::high);
  EXPECT_EQ(end_of(list, 1.0), End::none);
  EXPECT_EQ(end_of({.option = "x", .values = std::vector<OptionValue>{1.0}}, 1.0), End::none) << "no choice";
  EXPECT_EQ(end_of({.option = "x", .values = std::vector<OptionValue>{"a", "b"}}, "a"), End::none) << "no numbers";
}

TEST(Tuning, RandomSettingsFollowFromTheSeedAlone) {
  const std::string range = "{ low = 0.001, high = 0.019, scale = \"log\" }";
  const std::string tune = "strategy = \"random\"\ntrials = 4\nbudget = { rounds = 3 }\n";
  const auto drawn = [&](const std::string& seed) { return settings_tried(steps(range, tune + seed), 0); };
  EXPECT_EQ(drawn(""), drawn("seed = 1\n"));
  EXPECT_NE(drawn(""), drawn("seed = 2\n"));
  EXPECT_EQ(drawn("").size(), 4U);
}

TEST(Tuning, FindsTheBestStepOfGradientDescentAndTakesDivergenceAsAResult) {
  const TuningResult result =
      quiet(steps("[0.001, 0.0198, 0.5, 0.01]", "budget = { rounds = 2000 }\ntargets = [1e-2, 1e-6]"));
  ASSERT_EQ(result.trials.size(), 4U);
  EXPECT_EQ(result.trials[2].reason, StopReason::diverged);
  EXPECT_EQ(result.trials[2].reached(), 0U);
  const std::vector<TrialResult> settings = result.settings();
  const TrialResult* best = best_at(settings, 1, 0, Currency::rounds);
  ASSERT_NE(best, nullptr);
  EXPECT_EQ(best->trial.number, 2U);  // 2/(L + μ), the best constant step
  EXPECT_EQ(best->reason, StopReason::gap);
  for (const std::size_t other : {0U, 3U}) {
    const auto& at = result.trials[other].at[1];
    EXPECT_TRUE(!at || at->rounds > best->at[1]->rounds);
  }
}

TEST(Tuning, ABestValueAtTheEndOfItsRangeIsRemarkedOn) {
  const auto remarks = [](const std::string& list) {
    const TuningResult result = quiet(steps(list, "budget = { rounds = 2000 }\ntargets = [1e-6]"));
    return nlohmann::json::parse(tuning_json(result)).at("remarks");
  };
  const nlohmann::json at_end = remarks("[0.001, 0.01, 0.0198]");
  ASSERT_EQ(at_end.size(), 1U);
  EXPECT_EQ(at_end[0], "gd: the best step = 0.0198 is at the high end of what was tried; widen its range");
  EXPECT_TRUE(remarks("[0.001, 0.0198, 0.5]").empty());
}

// Every trial asks in its rounds; a search that only asked before each would run ten thousand million of them.
TEST(Tuning, AStopEndsTheTrialsUnderWayAndKeepsNoneOfThem) {
  std::atomic<int> questions = 0;
  const TuneConfig config = steps("[1e-9, 2e-9]", "budget = { rounds = 10000000000 }\n");
  const TuningResult result = tune(config, {.files = false, .stop_token = [&] {
                                              return ++questions > 100 ? StopSignal::interrupted : StopSignal::none;
                                            }});
  EXPECT_TRUE(result.interrupted());
  EXPECT_TRUE(result.trials.empty());
}

TEST(Tuning, ValuesFromTheoryFollowFromTheOptionsOfTheTrial) {
  const TuningResult result =
      quiet(config_of("[[method]]\nname = \"fedavg\"\nstep = \"theory\"\n[method.search]\nlocal_steps = [2, 5]\n"
                      "[tune]\nstrategy = \"grid\"\nbudget = { rounds = 3 }\n"));
  ASSERT_EQ(result.trials.size(), 2U);
  const auto step = [&](std::size_t t) {
    Settings settings = with(result.config.run.methods.front().settings, result.trials[t].trial.chosen);
    return std::get<double>(std::ranges::find(settings, "step", &Settings::value_type::first)->second);
  };
  EXPECT_NEAR(step(0), 1.0 / 200, 1e-15);
  EXPECT_NEAR(step(1), 1.0 / 500, 1e-15);
}

TEST(Tuning, TheCurrencyDecidesWhichSettingWins) {
  const auto trial = [](std::size_t number, std::uint64_t rounds, std::uint64_t grad_evals) {
    TrialResult r;
    r.trial.number = number;
    r.at = {Cost{.rounds = rounds, .exchanges = rounds, .bytes = rounds, .grad_evals = grad_evals}};
    return r;
  };
  const std::vector<TrialResult> all{trial(1, 10, 100), trial(2, 5, 200), trial(3, 7, 150), trial(4, 8, 160),
                                     trial(5, 20, 100)};
  EXPECT_EQ(best_at(all, 0, 0, Currency::rounds)->trial.number, 2U);
  EXPECT_EQ(best_at(all, 0, 0, Currency::grad_evals)->trial.number, 1U);
  EXPECT_EQ(best_at(all, 0, 1, Currency::rounds), nullptr);
  std::vector<std::size_t> frontier;
  for (const TrialResult* point : frontier_at(all, 0)) frontier.push_back(point->trial.number);
  EXPECT_THAT(frontier, ElementsAre(2U, 3U, 1U));
}

TEST(Tuning, NothingIsCountedBeyondTheBudget) {
  const TuningResult result = quiet(config_of("[[method]]\nname = \"dane+-gd\"\neta = 100\nmu = 1\n[method.search]\n"
                                              "lambda = [2, 5, 20]\n[tune]\n"
                                              "budget = { grad_evals = 60, exchanges = 9, rounds = 50 }\n"));
  for (const TrialResult& trial : result.trials) {
    EXPECT_NE(trial.reason, StopReason::gap);
    for (const std::optional<Cost>& cost : trial.at) {
      if (!cost) continue;
      EXPECT_LE(cost->grad_evals, 60U);
      EXPECT_LE(cost->exchanges, 9U);
    }
  }
}

TEST(Tuning, RowsBeyondTheBudgetReachNoTarget) {
  // A round of DANE+ takes two exchanges, so an odd budget is passed by the last round, which then does not count.
  const std::string method =
      "[[method]]\nname = \"dane+-gd\"\neta = 100\nmu = 1\n[method.search]\nlambda = [5]\n[tune]\n";
  const TrialResult even = quiet(config_of(method + "targets = [1e-1]\nbudget = { exchanges = 2 }\n")).trials.front();
  const TrialResult odd = quiet(config_of(method + "targets = [1e-1]\nbudget = { exchanges = 1 }\n")).trials.front();
  ASSERT_TRUE(even.at[0]);
  EXPECT_EQ(even.at[0]->exchanges, 2U);
  EXPECT_EQ(odd.spent.exchanges, 2U);
  EXPECT_FALSE(odd.at[0]);
  EXPECT_EQ(odd.part, 1.0);
}

TEST(Tuning, HalvingGivesTheWholeBudgetToTheBestOfARiggedSet) {
  EXPECT_THAT(rung_sizes(9, 3), ElementsAre(9U, 3U, 1U));
  EXPECT_THAT(rung_sizes(10, 4), ElementsAre(10U, 3U, 1U));
  EXPECT_THAT(rung_sizes(1, 2), ElementsAre(1U));
  const TuningResult result = quiet(steps("[0.0001, 0.0002, 0.0003, 0.0004, 0.018, 0.0005, 0.0006, 0.0007, 9]",
                                          "strategy = \"halving\"\nbudget = { rounds = 90 }\n"));
  ASSERT_EQ(result.trials.size(), 13U);
  EXPECT_EQ(result.planned, 13U);
  std::vector<std::size_t> survivors;
  for (const TrialResult& trial : result.trials) {
    EXPECT_EQ(trial.trial.budget.rounds, trial.trial.rung == 0 ? 10U : trial.trial.rung == 1 ? 30U : 90U);
    if (trial.trial.rung == 1) survivors.push_back(trial.trial.number);
    if (trial.trial.rung == 2) { EXPECT_EQ(trial.trial.number, 5U); }
  }
  EXPECT_THAT(survivors, ElementsAre(5U, 7U, 8U));  // the largest steps that do not diverge
  EXPECT_EQ(result.settings().size(), 9U);
}

TEST(Tuning, ResultDoesNotDependOnTheNumberOfThreads) {
  for (const std::string structure : {"diagonal", "dense"}) {
    TuneConfig config = config_of("[[method]]\nname = \"fedred-gd\"\neta = 100\n[method.search]\nlambda = [1, 5]\n"
                                  "p = { low = 0.05, high = 0.5, count = 3 }\n[[method]]\nname = \"dane+\"\n"
                                  "[method.search]\nlambda = [2, 5, 9]\n[tune]\nbudget = { rounds = 40 }\n",
                                  {"problem.structure=" + structure});
    std::vector<std::string> texts;
    for (const std::size_t threads : {1U, 2U, 7U}) {
      config.run.federation.threads = threads;
      texts.push_back(tuning_json(quiet(config)));
    }
    EXPECT_EQ(texts[0], texts[1]);
    EXPECT_EQ(texts[0], texts[2]);
  }
}

TEST(Tuning, SearchesCanShareAProblem) {
  const TuneConfig config = steps("[0.01, 0.015]", "budget = { rounds = 20 }\n");
  ThreadPool pool(1);
  const Problem made = make_problem(config.run, pool);
  const TuningResult shared = tune(config, {.files = false, .problem = &made});
  EXPECT_EQ(tuning_json(shared), tuning_json(tune(config, {.files = false, .problem = &made})));
  EXPECT_EQ(tuning_json(shared), tuning_json(quiet(config)));
}

TEST(Tuning, WithoutAnOptimumTargetsArePartsOfTheFirstGradientNorm) {
  const TempFolder folder;
  const TuneConfig config = read_tune_config(folder.write(
      "tune.toml", "[problem]\nkind = \"quadratic\"\ndim = 20\nreference = \"none\"\n[federation]\nclients = "
                   "4\n[[method]]\nname = \"gd\"\n[method.search]\nstep = [0.015]\n[tune]\ntargets = "
                   "[1e-3]\nbudget = { rounds = 3000 }\n"));
  const TuningResult result = quiet(config);
  EXPECT_EQ(result.yardstick, Yardstick::grad_norm);
  EXPECT_EQ(result.trials.front().reason, StopReason::grad_norm);
  EXPECT_TRUE(result.trials.front().at[0]);
}

TEST(TrialLine, ReadsBackTheSameAndRejectsOtherLines) {
  const TuneConfig config = config_of("[[method]]\nname = \"gd\"\n[method.search]\nstep = [0.01, 0.3]\n[[method]]\n"
                                      "name = \"dane+\"\nlambda = 5\n[method.search]\naveraging = [\"mean\", "
                                      "\"random\"]\n[tune]\nbudget = { rounds = 12 }\n");
  const TuningResult result = quiet(config);
  ASSERT_EQ(result.trials.size(), 4U);
  for (const TrialResult& trial : result.trials) {
    const std::string line = trial_line(trial, config);
    const std::optional<TrialResult> parsed = parse_trial(trial.trial, line, config);
    ASSERT_TRUE(parsed) << line;
    EXPECT_EQ(parsed->reason, trial.reason);
    EXPECT_EQ(parsed->spent, trial.spent);
    EXPECT_EQ(parsed->part, trial.part);
    EXPECT_EQ(parsed->at, trial.at);
    for (std::size_t cut = 0; cut < line.size(); ++cut)
      if (line[cut] == ',') {
        EXPECT_FALSE(parse_trial(trial.trial, line.substr(0, cut), config)) << line.substr(0, cut);
      }
    EXPECT_FALSE(parse_trial(trial.trial, line + ",1", config));
    EXPECT_FALSE(parse_trial(result.trials[trial.trial.number % 4].trial, line, config));
  }
}

TEST(TuneConfig, TextRepeatsItself) {
  const TempFolder folder;
  const TuneConfig config = config_of("[[method]]\nname = \"fedred-gd\"\neta = 100\n[method.search]\np = { low = 0.1, "
                                      "high = 0.5, scale = \"log\" }\nlambda = [1, 2.5]\n[tune]\nstrategy = "
                                      "\"halving\"\ntrials = 5\nbudget = { rounds = 12, bytes = 100000 }\n");
  const std::string text = canonical_text(config);
  EXPECT_EQ(canonical_text(read_tune_config(folder.write("tune.toml", text))), text);
}

TEST(TuneConfig, FlagsReachTheTables) {
  const TempFolder folder;
  const std::filesystem::path file =
      folder.write("tune.toml", problem + "[[method]]\nname = \"gd\"\nstep = 0.01\n[tune]\nbudget = { rounds = 5 }\n");
  const TuneConfig config = read_tune_config(file, {"tune.budget.rounds=7", "tune.targets=[0.5, 0.1]"});
  EXPECT_EQ(config.budget.rounds, 7U);
  EXPECT_THAT(config.keys.targets, ElementsAre(0.5, 0.1));
}

}  // namespace
}  // namespace driftless
