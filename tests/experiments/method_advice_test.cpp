#include "driftless/experiments/method_advice.hpp"

#include "driftless/experiments/inspection.hpp"
#include "driftless/problems/make_problem.hpp"

#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 300\ndim = 20\n"
                             "nonzeros_per_row = 6\nl2 = 0.01\n[federation]\nclients = 4\nsplit = \"dirichlet\"\n"
                             "threads = 1\n[stop]\nrounds = 30\n";

Inspection inspected(const TempFolder& folder, const std::string& text, const std::vector<std::string>& overrides = {},
                     const InspectionOptions& options = {}) {
  return inspect(read_config(folder.write("case.toml", text), overrides, MethodTables::optional), options);
}

AdviceTrial reached_with(const std::string& method, std::uint64_t exchanges, std::uint64_t gradients) {
  AdviceTrial trial{.method = method, .label = {}, .settings = {}, .multiple = {}};
  trial.reached = true;
  trial.spent.exchanges = exchanges;
  trial.spent.grad_evals = gradients;
  return trial;
}

TEST(MethodAdvice, TakesTheLeastWorkWithinATenthOfTheFewestExchanges) {
  MethodAdvice advice;
  advice.trials = {reached_with("near", 26, 1074), reached_with("fewest", 25, 11301), reached_with("far", 40, 40)};
  EXPECT_EQ(advice.recommended()->method, "near");
  EXPECT_EQ(advice.fewest_gradients()->method, "far");
  EXPECT_EQ(advice.recommended_of_configured(), nullptr);
  advice.trials[0].spent.exchanges = 28;
  EXPECT_EQ(advice.recommended()->method, "fewest");
}

TEST(MethodAdvice, CountsNoGradientsOfClosedForms) {
  MethodAdvice advice;
  advice.trials = {reached_with("closed", 17, 0), reached_with("open", 20, 20)};
  advice.trials[0].spent.local_steps = 17;
  EXPECT_EQ(advice.fewest_gradients()->method, "open");
  EXPECT_THAT(advice_text(advice), HasSubstr("closed form"));
}

// What a run of the same configuration with the settings advised needs is what the trial says.
TEST(MethodAdvice, RecommendsWhatNoTrialBeatsAndARunRepeats) {
  const TempFolder folder;
  const Inspection found =
      inspected(folder, logistic + "[[method]]\nname = \"gd\"\nstep = 2\n[[method]]\nname = \"giant\"\n");
  const MethodAdvice& advice = found.advice.value();
  const AdviceTrial* best = advice.recommended();
  ASSERT_NE(best, nullptr);
  std::set<std::string> tried;
  for (const AdviceTrial& trial : advice.trials) {
    tried.insert(trial.method);
    if (!trial.reached) continue;
    EXPECT_LE(static_cast<double>(best->spent.exchanges), 1.1 * static_cast<double>(trial.spent.exchanges));
  }
  for (const MethodEntry& entry : method_catalog()) EXPECT_EQ(entry.trial_turn > 0, tried.contains(entry.name));
  EXPECT_TRUE(advice.trials[0].configured());
  EXPECT_EQ(advice.trials[0].settings, (Settings{{"step", std::int64_t{2}}}));

  std::string table = "[[method]]\nname = " + toml_string(best->method) + "\n";
  for (const auto& [key, value] : best->settings) table += key + " = " + to_text(value) + "\n";
  const RunConfig config = read_config(folder.write("advised.toml", logistic + table));
  ThreadPool pool(1);
  const Problem problem = make_problem(config, pool);
  const MethodTrial run = try_method(problem, find_method(best->method), config.methods.front().settings,
                                     {.stop = target_at(problem, advice.target, pool), .seed = config.seed}, pool);
  EXPECT_EQ(run.last().exchanges, best->spent.exchanges);
}

TEST(MethodAdvice, TriesSmallerLambdasAsLongAsTheyHelp) {
  const TempFolder folder;
  const MethodAdvice advice = inspected(folder, logistic).advice.value();
  std::vector<std::uint64_t> exchanges;
  for (const AdviceTrial& trial : advice.trials)
    if (trial.method == "dane+-fgd") exchanges.push_back(trial.reached ? trial.spent.exchanges : 1000);
  ASSERT_GE(exchanges.size(), 3U);
  for (std::size_t k = 1; k + 1 < exchanges.size(); ++k) EXPECT_LE(exchanges[k], exchanges[k - 1]) << k;
  EXPECT_LT(*std::ranges::min_element(exchanges), exchanges.front() / 2);  // theory's λ is far from the best
}

TEST(MethodAdvice, SaysWhatIsLeftWhereNoTrialReachesTheTarget) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {"inspect.exchanges=2"});
  EXPECT_EQ(found.advice->recommended(), nullptr);
  const std::string text = inspection_text(found);
  EXPECT_THAT(text, HasSubstr("No trial reached 1e-6 of the first gap within 2 exchanges and 20000 gradients"));
  EXPECT_THAT(text, HasSubstr(" left after "));
  EXPECT_THAT(text, HasSubstr("at most 2 exchanges and 20000 gradients each, 20 s for all"));
}

TEST(MethodAdvice, StopsWhereTheTimeIsOverAndSaysSo) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {"inspect.seconds=0"});
  EXPECT_TRUE(found.advice->out_of_time);
  EXPECT_FALSE(found.interrupted);
  EXPECT_TRUE(found.advice->trials.empty());
  EXPECT_THAT(inspection_text(found), HasSubstr("0 s were over before all settings had been tried"));
}

// The trial would take a thousand million exchanges.
TEST(MethodAdvice, EndsInsideATrialWhereAStopIsRequested) {
  const TempFolder folder;
  const RunConfig config = read_config(
      folder.write("case.toml", "[problem]\nkind = \"quadratic\"\ndim = 10\n[federation]\nclients = 2\nthreads = 1\n"
                                "[[method]]\nname = \"gd\"\nstep = 1e-12\n[stop]\nrounds = 1\n"
                                "[inspect]\nexchanges = 1000000000\ngrad_evals = 1000000000\nseconds = 1e9\n"));
  ThreadPool pool(1);
  const Problem problem = make_problem(config, pool);
  int questions = 0;
  const MethodAdvice advice =
      advise(config, problem, *problem.constants,
             {.stop_token = [&] { return ++questions > 100 ? StopSignal::interrupted : StopSignal::none; }}, pool);
  EXPECT_TRUE(advice.trials.empty());
  EXPECT_FALSE(advice.out_of_time);
}

TEST(MethodAdvice, IsLeftOutWhereTrialsAreSwitchedOff) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {"inspect.trials=false"});
  EXPECT_FALSE(found.advice.has_value());
  EXPECT_THAT(inspection_text(found), HasSubstr("No method was tried"));
  EXPECT_TRUE(json::parse(inspection_json(found)).at("trials").is_null());
}

TEST(MethodAdvice, ComparesGradientNormsWhereTheOptimumIsNotKnown) {
  const TempFolder folder;
  const Inspection found = inspected(folder, "[problem]\nkind = \"quadratic\"\nclass = \"non-convex\"\ndim = 30\n"
                                             "[federation]\nclients = 5\n[stop]\nrounds = 2\n");
  EXPECT_EQ(found.advice->yardstick, Yardstick::grad_norm);
  ASSERT_NE(found.advice->recommended(), nullptr);
  EXPECT_LE(found.advice->recommended()->part_left, 1e-6);
  EXPECT_THAT(inspection_text(found), HasSubstr("not tried"));  // methods whose theory needs convexity
}

TEST(MethodAdvice, TrialsAreStructuredDataInTheFile) {
  const TempFolder folder;
  const Inspection found = inspected(folder, logistic, {}, {.out = (folder / "out").string()});
  const json file = json::parse(TempFolder::read(folder / "out/trials.json"));
  EXPECT_EQ(file, json::parse(inspection_json(found)).at("trials"));
  EXPECT_EQ(file.at("budget").at("exchanges"), 200);
  ASSERT_EQ(file.at("trials").size(), found.advice->trials.size());
  const json& best = file.at("trials").at(file.at("recommended").get<std::size_t>());
  EXPECT_EQ(best.at("method"), found.advice->recommended()->method);
  EXPECT_EQ(best.at("exchanges"), found.advice->recommended()->spent.exchanges);
  EXPECT_TRUE(best.at("settings").is_object());
}

}  // namespace
}  // namespace driftless
