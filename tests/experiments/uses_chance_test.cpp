#include "driftless/methods/uses_chance.hpp"

#include "driftless/experiments/method_trial.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/quadratic_kind.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

std::vector<double> values_of_run(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                                  std::size_t seed) {
  ThreadPool pool(1);
  const MethodTrial run = try_method(problem, entry, settings, {.stop = {.rounds = 12}, .seed = seed}, pool);
  std::vector<double> values;
  for (const TraceRow& row : run.rows) values.push_back(row.f);
  return values;
}

TEST(UsesChance, AMethodWithoutItGivesTheSameRunForEverySeed) {
  ThreadPool pool(1);
  const Problem problem = make_problem(quadratic_setup({.clients = 5, .samples = 10, .dim = 30}), pool);
  std::size_t without = 0;
  for (const MethodEntry& entry : method_catalog()) {
    const Settings settings = theory_settings(entry, *problem.constants);
    const bool same = values_of_run(problem, entry, settings, 1) == values_of_run(problem, entry, settings, 7);
    if (!uses_chance(entry, settings)) {
      ++without;
      EXPECT_TRUE(same) << entry.name;
    }
  }
  EXPECT_GT(without, 20U);
}

TEST(UsesChance, CoinsDrawnClientsMinibatchesAndRandomCodesCount) {
  const auto chance = [](const std::string& name, const Settings& settings) {
    return uses_chance(find_method(name), settings);
  };
  using namespace std::string_literals;
  EXPECT_TRUE(chance("scaffnew", {}));
  EXPECT_TRUE(chance("ce-lgd", {}));
  EXPECT_TRUE(chance("dane+-sgd", {}));
  EXPECT_TRUE(chance("diana", {}));
  EXPECT_FALSE(chance("scaffold", {}));
  EXPECT_TRUE(chance("scaffold", {{"cohort", std::int64_t{2}}}));
  EXPECT_TRUE(chance("scaffold", {{"batch", std::int64_t{4}}}));
  EXPECT_FALSE(chance("sonata", {}));  // has a batch for the solver sgd, which is not its own
  EXPECT_FALSE(chance("dane+-gd", {}));
  EXPECT_TRUE(chance("dane+-gd", {{"averaging", "random"s}}));
}

}  // namespace
}  // namespace driftless
