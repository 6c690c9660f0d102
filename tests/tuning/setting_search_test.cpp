#include "driftless/tuning/setting_search.hpp"

#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace driftless {
namespace {

TuneConfig config_of(const std::string& methods) {
  const TempFolder folder;
  return read_tune_config(
      folder.write("tune.toml", "[problem]\nkind = \"quadratic\"\ndim = 20\nL = 100\n[federation]\nclients = 4\n"
                                "threads = 1\n" +
                                    methods + "[tune]\ntargets = [1e-6]\nbudget = { rounds = 100 }\n"));
}

std::string method(const std::string& name, const std::string& search) {
  return "[[method]]\nname = \"" + name + "\"\n[method.search]\n" + search;
}

double number_at(const TrialResult& result, std::size_t option) {
  return std::get<double>(result.trial.chosen.at(option).second);
}

TEST(SettingSearch, FollowsAWinnerBeyondTheEdgeOfTheGridUntilItsNeighboursAreWorse) {
  const SettingSearch search =
      search_settings(config_of(method("gd", "step = [0.0001, 0.0002]\n")), 40, {.files = false});
  ASSERT_EQ(search.best.size(), 1U);
  const BestSetting& best = search.best.front();
  EXPECT_TRUE(best.settled);
  EXPECT_EQ(best.tried, search.trials.size());
  const double step = number_at(best.trial, 0);
  EXPECT_GT(step, 0.005);  // 1/L_f is about 0.01
  EXPECT_LT(step, 0.03);
  for (const double neighbour : {step / 2.0, step * 2.0}) {
    const auto tried = std::ranges::find_if(
        search.trials, [&](const TrialResult& t) { return std::abs(number_at(t, 0) - neighbour) < 1e-12; });
    ASSERT_NE(tried, search.trials.end()) << neighbour;
    EXPECT_FALSE(better(*tried, best.trial, Currency::rounds));
  }
}

TEST(SettingSearch, NumbersTrialsThroughAndKeepsThemWithTheirMethod) {
  const TuneConfig config =
      config_of(method("gd", "step = [0.01]\n") + method("scaffold", "step = [0.001, 0.002]\nlocal_steps = [4]\n"));
  const SettingSearch search = search_settings(config, 40, {.files = false});
  ASSERT_EQ(search.best.size(), 2U);
  for (std::size_t k = 0; k < search.trials.size(); ++k) EXPECT_EQ(search.trials[k].trial.number, k + 1);
  for (const TrialResult& trial : search.trials) EXPECT_EQ(trial.trial.chosen.size(), 1U + trial.trial.method);
  EXPECT_EQ(search.best[0].tried + search.best[1].tried, search.trials.size());
  for (const TrialResult& trial : search.trials)
    EXPECT_FALSE(better(trial, search.best[trial.trial.method].trial, Currency::rounds));
}

TEST(SettingSearch, SkipsValuesThatAMethodRejects) {
  const SettingSearch search =
      search_settings(config_of(method("scaffnew", "step = [0.01]\np = [0.8]\n")), 40, {.files = false});
  EXPECT_TRUE(search.best.front().settled);
  for (const TrialResult& trial : search.trials) EXPECT_LE(number_at(trial, 1), 1.0);
}

TEST(SettingSearch, EndsUnsettledWhereItWouldTryMoreThanAllowed) {
  const SettingSearch search = search_settings(config_of(method("gd", "step = [0.0001]\n")), 3, {.files = false});
  EXPECT_EQ(search.trials.size(), 3U);
  EXPECT_FALSE(search.best.front().settled);
}

TEST(SettingSearch, DoesNotFollowAnOptionThatHardlyMatters) {
  const SettingSearch search =
      search_settings(config_of("[[method]]\nname = \"dane+-gd\"\neta = 1e4\nstop_rule = \"steps\"\nlocal_steps = 1\n"
                                "[method.search]\nlambda = [1]\n"),
                      40, {.files = false});
  EXPECT_TRUE(search.best.front().settled);
  EXPECT_LE(search.best.front().tried, 5U);  // a smaller λ is always a little better
}

TEST(SettingSearch, AnInterruptedSearchNamesNoWinner) {
  const SettingSearch search = search_settings(config_of(method("gd", "step = [0.01]\n")), 40,
                                               {.files = false, .stop_token = [] { return StopSignal::interrupted; }});
  EXPECT_TRUE(search.interrupted);
  EXPECT_TRUE(search.best.empty());
}

TEST(SettingSearch, AMethodWithCoinsIsJudgedOverItsSeeds) {
  TuneConfig config = config_of(method("scaffnew", "step = [0.01]\np = [0.3]\n") + method("gd", "step = [0.01]\n"));
  const auto first_of = [&](std::size_t seeds) {
    config.keys.seeds = seeds;
    return search_settings(config, 1, {.files = false}).trials;
  };
  const auto one = first_of(1);
  const auto five = first_of(5);
  EXPECT_NE(one[0].part, five[0].part);
  EXPECT_EQ(one[1].part, five[1].part) << "gd tosses no coins";
}

TEST(Trial, TheMeanOfRunsHasWhatAllReached) {
  const auto cost = [](std::uint64_t rounds) { return Cost{.rounds = rounds, .exchanges = rounds}; };
  TrialResult a{.reason = StopReason::gap, .spent = cost(10), .part = 1e-6, .at = {cost(4), cost(10)}};
  TrialResult b{.reason = StopReason::rounds, .spent = cost(20), .part = 1e-4, .at = {cost(8), std::nullopt}};
  const TrialResult mean = mean_of({a, b});
  EXPECT_EQ(mean.reason, StopReason::rounds);
  EXPECT_NEAR(mean.part, 1e-5, 1e-15);
  EXPECT_EQ(mean.spent.rounds, 15U);
  ASSERT_EQ(mean.at.size(), 2U);
  EXPECT_EQ(mean.at[0]->rounds, 6U);
  EXPECT_FALSE(mean.at[1].has_value());
  b.reason = StopReason::diverged;
  EXPECT_EQ(mean_of({a, b}).reason, StopReason::diverged);
  EXPECT_EQ(mean_of({b, a}).reason, StopReason::diverged);
}

}  // namespace
}  // namespace driftless
