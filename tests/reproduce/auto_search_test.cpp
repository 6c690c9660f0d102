// The search of one method: same budget for each, and nothing that could have been the best is lost.
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/reproduce/auto/search.hpp"
#include "driftless/tuning/default_settings.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using testing::HasSubstr;

// A quadratic with constants that are known exactly.
Problem quadratic(ThreadPool& pool) {
  const std::string text =
      "[problem]\nkind = \"quadratic\"\nrecipe = \"R2\"\nclass = \"strongly-convex\"\nstructure = \"diagonal\"\n"
      "samples = 3\ndim = 8\nL = 10\nmu = 1\ndelta = 1\nspread = 3\n\n"
      "[federation]\nclients = 3\n\n[[method]]\nname = \"gd\"\nstep = 0.1\n\n[stop]\nrounds = 1\n";
  return make_problem(parse_config(text, "test", Paths::as_written), pool);
}

struct SearchTest : testing::Test {
  ThreadPool pool{1};
  Problem problem = quadratic(pool);

  AutoResult search(const std::string& method, const AutoLimits& limits) {
    const MethodEntry& entry = find_method(method);
    const std::vector<TunedSetting> settings = default_settings(entry, *problem.constants, problem.n);
    return *search_method(entry, settings,
                          {.problem = problem, .clients = problem.clients, .pool = pool, .limits = limits});
  }
};

using AutoSearch = SearchTest;
using DefaultSettings = SearchTest;

TEST_F(DefaultSettings, AreMultiplesOfTheorysValuesAsNumbers) {
  const std::vector<TunedSetting> settings = default_settings(find_method("dane"), *problem.constants, problem.n);
  ASSERT_EQ(settings.size(), 6U);
  const double delta = problem.constants->delta_A;
  EXPECT_EQ(settings.front().settings, (Settings{{"lambda", delta / 256}}));
  EXPECT_EQ(settings.back().settings, (Settings{{"lambda", 4.0 * delta}}));
  EXPECT_THAT(settings[3].text, HasSubstr("0.25 of theory"));
}

TEST_F(DefaultSettings, ListedValuesNeedNoTheory) {
  const std::vector<TunedSetting> settings = default_settings(find_method("newton-cg"), {}, problem.n);
  ASSERT_EQ(settings.size(), 6U);  // three tolerances, two preconditioners
  for (const TunedSetting& setting : settings) {
    EXPECT_THAT(setting.text, HasSubstr("cg_tolerance = "));
    EXPECT_THAT(setting.text, testing::Not(HasSubstr("theory")));
  }
}

TEST_F(AutoSearch, FindsTheBestOfTheWholeGrid) {
  const MethodEntry& entry = find_method("agd");
  const AutoResult found = search("agd", {.exchanges = 300, .gradients = 100000});
  ASSERT_TRUE(found.arrived());
  std::uint64_t fewest = 1000;
  for (const TunedSetting& setting : default_settings(entry, *problem.constants, problem.n)) {
    const AutoResult alone = *search_method(entry, std::span(&setting, 1),
                                            {.problem = problem,
                                             .clients = problem.clients,
                                             .pool = pool,
                                             .limits = {.exchanges = 300, .gradients = 100000}});
    if (alone.arrived()) fewest = std::min(fewest, alone.best->cost.exchanges);
  }
  EXPECT_EQ(found.best->cost.exchanges, fewest);
}

TEST_F(AutoSearch, NoSettingMayExceedTheExchanges) {
  const std::uint64_t needed = search("agd", {.exchanges = 300, .gradients = 100000}).best->cost.exchanges;
  EXPECT_TRUE(search("newton-cg", {.exchanges = 300}).arrived());
  const AutoResult enough = search("agd", {.exchanges = needed, .gradients = 100000});
  EXPECT_TRUE(enough.arrived());
  const AutoResult one_less = search("agd", {.exchanges = needed - 1, .gradients = 100000});
  EXPECT_FALSE(one_less.arrived());
  EXPECT_EQ(one_less.end, AutoEnd::exchanges);
  EXPECT_LT(one_less.part, 1e-3);
  EXPECT_NE(one_less.nearest, "");
}

TEST_F(AutoSearch, AllSettingsTogetherKeepWithinTheGradients) {
  for (const char* method : {"gd", "dane+-gd", "scaffold", "fedred-gd", "newton-cg"}) {
    const AutoLimits limits{.exchanges = 300, .gradients = 400};
    const AutoResult found = search(method, limits);
    // A round that began within the budget may end beyond it, once per run.
    EXPECT_LE(found.gradients, 2 * limits.gradients) << method;
    if (!found.arrived()) continue;
    EXPECT_LE(found.best->cost.grad_evals, limits.gradients) << method;
  }
}

TEST_F(AutoSearch, KeepsTheLeastOfEachCost) {
  const AutoResult found = search("dane+-gd", {.exchanges = 300, .gradients = 200000});
  ASSERT_TRUE(found.arrived());
  EXPECT_LE(found.fewest_bytes->cost.bytes, found.best->cost.bytes);
  EXPECT_LE(found.fewest_gradients->cost.grad_evals, found.best->cost.grad_evals);
  EXPECT_LE(found.best->cost.exchanges, found.fewest_gradients->cost.exchanges);
}

TEST_F(AutoSearch, DivergenceIsAnEndOfItsOwn) {
  const std::vector<TunedSetting> settings{{.settings = {{"step", 10.0}}, .text = "step = 10"}};
  const AutoResult found = *search_method(find_method("gd"), settings,
                                          {.problem = problem, .clients = problem.clients, .pool = pool, .limits = {}});
  EXPECT_EQ(found.end, AutoEnd::diverged);
  EXPECT_EQ(found.nearest, "step = 10");
}

TEST_F(AutoSearch, WithoutASettingThereIsNoResultButAReason) {
  const AutoResult found = *search_method(find_method("gd"), {},
                                          {.problem = problem, .clients = problem.clients, .pool = pool, .limits = {}});
  EXPECT_EQ(found.end, AutoEnd::unfit);
  EXPECT_NE(found.note, "");
}

TEST_F(AutoSearch, AnInterruptionLeavesNoResult) {
  const std::vector<TunedSetting> settings{{.settings = {{"step", 0.01}}, .text = "step = 0.01"}};
  EXPECT_FALSE(
      search_method(find_method("gd"), settings,
                    {.problem = problem, .clients = problem.clients, .pool = pool, .limits = {}, .stop_token = [] {
                       return StopSignal::interrupted;
                     }}));
}

TEST_F(AutoSearch, TheSafetyNetMarksWhatItStopped) {
  const AutoResult found = search("gd", {.exchanges = 300, .seconds = 0.0});
  EXPECT_TRUE(found.clock);
  EXPECT_EQ(found.end, AutoEnd::clock);
}

}  // namespace
}  // namespace driftless
