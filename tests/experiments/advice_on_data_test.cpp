// What inspect promises against what runs need, on public data sets. Skipped on machines that do not have them.
#include "driftless/experiments/inspection.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/problems/make_problem.hpp"

#include "tests/support/available_data.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace driftless {
namespace {

RunConfig config_of(const TempFolder& folder, const std::filesystem::path& data) {
  return read_config(folder.write("case.toml", "[problem]\nkind = \"logistic\"\ndata = " + toml_string(data.string()) +
                                                   "\nl2 = 0.05\n[federation]\nclients = 5\nthreads = 1\n[stop]\n"
                                                   "rounds = 1\n[inspect]\ntrials = false\n"),
                     {}, MethodTables::optional);
}

// Rounds until the gap is this part of the first one, with the values from theory; none where it takes more than the
// promised number.
std::optional<std::size_t> rounds_needed(const Problem& problem, const Prediction& promised, const Constants& constants,
                                         double part) {
  ThreadPool pool(1);
  const MethodEntry& entry = find_method(promised.method);
  StopConditions stop = target_at(problem, part, pool);
  stop.rounds = static_cast<std::size_t>(promised.rounds);
  const MethodTrial trial = try_method(problem, entry, theory_settings(entry, constants), {.stop = stop}, pool);
  if (trial.reason != StopReason::gap) return std::nullopt;
  return trial.last().round;
}

constexpr std::array<std::string_view, 6> without_chance{"gd", "agd", "feddyn", "dane", "dane+-gd", "sonata"};

TEST(AdviceOnData, ProvedBoundsPromiseNoFewerRoundsThanRunsNeed) {
  constexpr double part = 1e-6;
  std::size_t sets = 0;
  for (const std::string name : {"heart_scale", "diabetes_scale", "fourclass_scale", "a1a", "w1a"}) {
    const auto data = available_data(name);
    if (!data) continue;
    ++sets;
    const TempFolder folder;
    const RunConfig config = config_of(folder, *data);
    const Inspection found = inspect(config, {.at = "optimum"});
    ASSERT_TRUE(found.predictions.has_value()) << name;
    ThreadPool pool(1);
    const Problem problem = make_problem(config, pool);
    std::size_t compared = 0;
    for (const Prediction& promised : found.predictions->lines) {
      if (std::ranges::find(without_chance, promised.method) == without_chance.end()) continue;
      ASSERT_TRUE(promised.obstacle.empty()) << name << ": " << promised.method << ": " << promised.obstacle;
      EXPECT_TRUE(rounds_needed(problem, promised, found.constants, part).has_value())
          << name << ": " << promised.method << " needs more than the promised " << promised.rounds << " rounds";
      ++compared;
    }
    EXPECT_EQ(compared, without_chance.size()) << name;
  }
  if (sets == 0) GTEST_SKIP() << "there are no data sets in DRIFTLESS_DATA";
}

}  // namespace
}  // namespace driftless
