// Searches for which nobody gave ranges, and ranges in multiples of theory's values.
#include "driftless/methods/catalog.hpp"
#include "driftless/tuning/tuning.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

bool ranged(const MethodEntry& entry, const std::string& option) {
  return std::ranges::find(entry.ranges, option, &DefaultRange::option) != entry.ranges.end();
}

// A search without ranges needs a value, or values, for every option that has no default.
TEST(DefaultRanges, EveryRequiredOptionHasARangeOrAValueFromTheory) {
  for (const MethodEntry& entry : method_catalog())
    for (const OptionInfo& option : entry.options) {
      if (!option.required) continue;
      const bool theory = std::ranges::find(entry.theory, option.name, &TheoryValue::option) != entry.theory.end();
      EXPECT_TRUE(theory || ranged(entry, option.name)) << entry.name << ": " << option.name;
    }
}

TEST(DefaultRanges, EveryMethodHasOne) {
  for (const MethodEntry& entry : method_catalog()) EXPECT_FALSE(entry.ranges.empty()) << entry.name;
}

TEST(DefaultRanges, NameEachOptionOnceAndHoldTheValueThatTheyStartFrom) {
  for (const MethodEntry& entry : method_catalog())
    for (const DefaultRange& range : entry.ranges) {
      SCOPED_TRACE(entry.name + ": " + range.option);
      EXPECT_TRUE(has_option(entry, range.option));
      EXPECT_EQ(std::ranges::count(entry.ranges, range.option, &DefaultRange::option), 1);
      EXPECT_NE(range.values.empty(), range.multiples.empty());
      if (!range.values.empty()) continue;
      EXPECT_EQ(std::ranges::count(range.multiples, 1.0), 1);
    }
}

TEST(DefaultRanges, LeaveOptionsOfLocalSolversAlone) {
  EXPECT_TRUE(ranged(find_method("fedavg"), "local_steps"));
  EXPECT_FALSE(ranged(find_method("dane+-gd"), "local_steps"));
  EXPECT_FALSE(ranged(find_method("fedred-gd"), "eta"));
  EXPECT_TRUE(ranged(find_method("fedadam"), "server_step"));
  EXPECT_FALSE(ranged(find_method("scaffold"), "server_step"));
}

const std::string problem = "[problem]\nkind = \"quadratic\"\ndim = 12\nL = 100\n[federation]\nclients = 4\n"
                            "threads = 1\n";

TuneConfig config_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TempFolder folder;
  return read_tune_config(folder.write("tune.toml", problem + text), overrides);
}

std::vector<double> tried_values(const TuningResult& result, const std::string& option) {
  std::vector<double> values;
  for (const TrialResult& trial : result.trials) {
    const Settings& chosen = trial.trial.chosen;
    values.push_back(std::get<double>(std::ranges::find(chosen, option, &Settings::value_type::first)->second));
  }
  return values;
}

// Of quadratics, where theory has a value for every option.
TEST(DefaultRanges, EveryMethodIsSearchedFromItsNameAlone) {
  for (const MethodEntry& entry : method_catalog()) {
    SCOPED_TRACE(entry.name);
    const TuneConfig config = config_of("[[method]]\nname = " + toml_string(entry.name) +
                                        "\n[tune]\ntargets = [0.5]\nbudget = { exchanges = 3, grad_evals = 50 }\n");
    EXPECT_TRUE(config.default_ranges);
    const TuningResult result = tune(config, {.files = false});
    EXPECT_GT(result.trials.size(), 1U);
    EXPECT_EQ(result.trials.size(), result.planned);
  }
}

TEST(DefaultRanges, AreMultiplesOfTheNumbersGivenAndOfTheoryWhereItIsAskedFor) {
  const TuneConfig given =
      config_of("[[method]]\nname = \"fedred-gd\"\nlambda = 4\neta = 100\np = 0.3\n[stop]\nrounds = 3\n");
  ASSERT_EQ(given.spaces.front().size(), 2U);  // eta stays as it is
  EXPECT_EQ(axis_text(given.spaces.front()[0]), "lambda = [0.015625, 0.0625, 0.25, 1, 4, 16]\n");
  EXPECT_EQ(axis_text(given.spaces.front()[1]), "p = [0.075, 0.3]\n");  // 1.2 is no probability
  const TuneConfig theory = config_of("[[method]]\nname = \"dane\"\nlambda = \"theory\"\n[stop]\nrounds = 3\n");
  EXPECT_EQ(axis_text(theory.spaces.front()[0]), "lambda = { theory = [0.00390625, 0.015625, 0.0625, 0.25, 1, 4] }\n");
}

TEST(DefaultRanges, AreNotUsedWhereOneMethodHasRangesOfItsOwn) {
  const TuneConfig config = config_of("[[method]]\nname = \"gd\"\nstep = 0.01\n[[method]]\nname = \"dane\"\n"
                                      "[method.search]\nlambda = [1, 2]\n[tune]\nbudget = { rounds = 3 }\n");
  EXPECT_FALSE(config.default_ranges);
  EXPECT_TRUE(config.spaces[0].empty());
}

TEST(DefaultRanges, TextRepeatsTheSearch) {
  const TempFolder folder;
  const TuneConfig config = config_of("[[method]]\nname = \"fedred-gd\"\n[[method]]\nname = \"gd\"\nstep = 0.01\n"
                                      "[tune]\ntargets = [0.5]\nbudget = { exchanges = 5 }\n");
  const TuneConfig again = read_tune_config(folder.write("again.toml", canonical_text(config)));
  EXPECT_EQ(canonical_text(again), canonical_text(config));
  EXPECT_EQ(tuning_json(tune(again, {.files = false})), tuning_json(tune(config, {.files = false})));
}

TEST(TuneBudget, IsThatOfStopWhereNoneIsGivenAndHasAlwaysALimitOfGradients) {
  const std::string method = "[[method]]\nname = \"gd\"\nstep = 0.01\n";
  const Budget from_stop = config_of(method + "[stop]\nrounds = 7\ngap = 1e-3\n").budget;
  EXPECT_EQ(from_stop.rounds, 7U);
  EXPECT_FALSE(from_stop.exchanges.has_value());
  EXPECT_EQ(from_stop.grad_evals, default_gradients);
  const Budget none = config_of(method).budget;
  EXPECT_EQ(none.exchanges, default_exchanges);
  EXPECT_EQ(none.grad_evals, default_gradients);
  const TuneConfig own = config_of(method + "[tune]\nbudget = { rounds = 2, grad_evals = 9 }\n[stop]\nrounds = 7\n");
  EXPECT_EQ(own.budget.rounds, 2U);
  EXPECT_EQ(own.budget.grad_evals, 9U);
  EXPECT_THAT(tuning_text(tune(own, {.files = false})), testing::HasSubstr("a trial may spend 2 rounds, 9 grad_evals"));
}

TEST(RangesOfTheory, AreMultiplesOfWhatTheorySaysForTheRestOfTheSetting) {
  const TuningResult result =
      tune(config_of("[[method]]\nname = \"fedred-gd\"\neta = 100\n[method.search]\nlambda = { theory = [0.5, 1] }\n"
                     "p = { low = 0.5, high = 2, scale = \"log\", count = 3, of = \"theory\" }\n"
                     "[tune]\nbudget = { rounds = 2 }\n"),
           {.files = false});
  const std::vector<double> lambda = tried_values(result, "lambda");
  const std::vector<double> p = tried_values(result, "p");
  ASSERT_EQ(lambda.size(), 6U);
  EXPECT_NEAR(lambda.front(), lambda.back() / 2, 1e-12);
  for (std::size_t k = 0; k < 6; k += 3) {
    const double theory = (lambda[k] + 0.5) / (100 - 0.5);  // mu = 1
    EXPECT_NEAR(p[k], theory / 2, 1e-6);
    EXPECT_NEAR(p[k + 1], theory, 1e-6);
    EXPECT_NEAR(p[k + 2], theory * 2, 1e-6);
  }
}

TEST(RangesOfTheory, LeaveOutWhatTheMethodRejectsAndSayWhereNothingIsLeft) {
  const auto multiples = [](const std::string& list) {
    return config_of("[[method]]\nname = \"scaffnew\"\nstep = \"theory\"\n[method.search]\np = { theory = " + list +
                     " }\n[tune]\nbudget = { rounds = 2 }\n");
  };
  EXPECT_EQ(tune(multiples("[1, 1000]"), {.files = false}).trials.size(), 1U);  // p > 1 is no probability
  expect_error<ConfigError>([&] { tune(multiples("[1000, 2000]"), {.files = false}); },
                            {"no setting", "scaffnew", "theory = [1000, 2000]"});
  expect_error<ConfigError>([&] { multiples("[-1]"); }, {"'theory' is a list of multiples", "tune.toml:"});
}

TEST(RangesOfTheory, ABestValueAtTheEndIsRemarkedOn) {
  const TuningResult result =
      tune(config_of("[[method]]\nname = \"gd\"\n[method.search]\nstep = { theory = [0.01, 0.1, 1] }\n"
                     "[tune]\ntargets = [0.1]\nbudget = { rounds = 2000 }\n"),
           {.files = false});
  EXPECT_THAT(tuning_text(result), testing::HasSubstr("gd: the best step = 0.01 is at the high end of what was tried"));
}

}  // namespace
}  // namespace driftless
