#include "driftless/reproduce/figure3.hpp"

#include "driftless/reproduce/figure3_file.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace driftless {
namespace {

using testing::HasSubstr;

const std::vector<std::string> methods{"fedavg", "fedprox", "scaffold", "scaffnew", "dane+-sgd", "fedred-sgd"};

TEST(Figure3, TheGridIsThatOfThePaper) {
  std::size_t all = 0;
  for (const std::string& method : methods) {
    std::set<std::string> texts;
    for (const Figure3Setting& setting : Figure3Grid().settings_of(method)) texts.insert(method_lines(method, setting));
    EXPECT_EQ(texts.size(), Figure3Grid().settings_of(method).size()) << method;
    all += texts.size();
  }
  EXPECT_EQ(all, 3U * 4U * 2U + 3U * 4U * 2U * 5U);  // rates, local steps, and λ for three of the six
  EXPECT_EQ(Figure3Grid().settings_of(Figure3Grid::central).size(), 4U);
}

TEST(Figure3, ValuesOutsideTheGridAreRejectedByName) {
  expect_error<ConfigError>([] { Figure3Grid{.rates = {0.1, 0.3}}.check(); }, {"learning rate", "0.3", "0.05"});
  expect_error<ConfigError>([] { Figure3Grid{.local_steps = {30}}.check(); }, {"local steps", "30"});
  expect_error<ConfigError>([] { Figure3Grid{.lambdas = {2.0}}.check(); }, {"lambda", "2"});
  expect_error<ConfigError>([] { Figure3Grid{.methods = {"fedprix"}}.check(); }, {"method", "fedprix"});
}

TEST(Figure3, SettingsAreThoseOfTheMethods) {
  for (const std::string& method : methods) {
    const std::string lines = method_lines(method, Figure3Grid().settings_of(method).front());
    const bool coins = method == "scaffnew" || method == "fedred-sgd";
    EXPECT_THAT(lines, HasSubstr(coins ? "p = 0.1" : "local_steps = 10")) << method;
    EXPECT_EQ(lines.find("lambda") != std::string::npos, lines.find("eta") != std::string::npos) << method;
  }
  EXPECT_THAT(method_lines("scaffold", Figure3Grid().settings_of("scaffold").front()),
              HasSubstr("control_variate = \"exact\""));
  EXPECT_THAT(method_lines("dane+-sgd", Figure3Grid().settings_of("dane+-sgd").front()), HasSubstr("eta = 100"));
}

using Accuracy = std::function<double(const Figure3Trial&)>;  // negative: diverged

Figure3Result made_up(const Figure3Trial& trial, double accuracy) {
  return {.trial = trial,
          .diverged = accuracy < 0.0,
          .points = {{0, 0, 2.3, 0.1}, {trial.rounds, trial.rounds, 2.3 - accuracy, std::max(0.0, accuracy)}},
          .arithmetic = "made up",
          .seconds = 1.0};
}

// Runs what the race asks for, until nothing is left or so many trials have run.
std::vector<Figure3Result> raced(const Figure3Setup& setup, const Figure3Grid& grid, const Accuracy& accuracy,
                                 std::size_t most = 1000, std::vector<Figure3Result> results = {}) {
  for (std::size_t count = 0; count < most; ++count) {
    const Figure3 figure = figure3_of(setup, grid, results);
    const auto race = std::ranges::find_if(figure.races, [](const Figure3Race& r) { return !r.pending.empty(); });
    if (race == figure.races.end()) break;
    results.push_back(made_up(race->pending.front(), accuracy(race->pending.front())));
  }
  return results;
}

const SettingStatus& status_of(const Figure3& figure, const std::string& method, const Figure3Setting& setting) {
  const auto race = std::ranges::find(figure.races, method, &Figure3Race::method);
  return *std::ranges::find(race->settings, setting, &SettingStatus::setting);
}

// Large rates are behind at first and win in the end.
double late_winner(const Figure3Trial& trial) {
  const double rounds = static_cast<double>(trial.rounds);
  const double lambda = trial.setting.lambda.value_or(0.0);
  return 0.3 + (rounds - 18.0) * trial.setting.rate / 20.0 - 0.001 * lambda;
}

TEST(Figure3Race, RatesAreNotComparedBeforeTwentyRounds) {
  const Figure3Setup setup;
  const Figure3 figure = figure3_of(setup, {}, raced(setup, {}, late_winner));
  EXPECT_TRUE(figure.complete());
  ASSERT_EQ(figure.lines.size(), 7U);
  for (const Figure3Line& line : figure.lines) {
    EXPECT_EQ(line.setting.rate, 0.1) << line.method;
    EXPECT_EQ(line.setting.lambda.value_or(1e-3), 1e-3) << line.method;
    EXPECT_TRUE(line.chosen);
    EXPECT_EQ(line.seeds, 3U);
  }
  for (const Figure3Race& race : figure.races) {
    const auto chosen = std::ranges::find(race.settings, SettingState::chosen, &SettingStatus::state);
    EXPECT_EQ(chosen->rounds, 80U) << race.method;
  }
  EXPECT_EQ(figure.seen(), 144U);
}

TEST(Figure3Race, OnlyTheBestLambdaOfARateGoesBeyondFiveRounds) {
  const Figure3Setup setup;
  const Figure3Grid grid{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedprox"}};
  const Figure3 figure = figure3_of(setup, grid, raced(setup, grid, late_winner));
  const SettingStatus& lost = status_of(figure, "fedprox", {.rate = 0.1, .local_steps = 10, .lambda = 10.0});
  EXPECT_EQ(lost.state, SettingState::eliminated);
  EXPECT_EQ(lost.rounds, 5U);
  EXPECT_EQ(figure.seen(), 10U);
  EXPECT_EQ(std::ranges::count_if(figure.results, [](const auto& r) { return r.trial.rounds == 20; }), 2);
}

TEST(Figure3Race, TheSecondRunsAllRoundsOnlyWhereItIsClose) {
  const Figure3Setup setup;
  const Figure3Grid grid{.rates = {0.01, 0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg"}};
  const auto finalists = [&](double second) {
    const auto results = raced(setup, grid, [&](const Figure3Trial& trial) {
      return trial.setting.rate == 0.05 ? 0.5 : trial.setting.rate == 0.1 ? second : 0.1;
    });
    return std::ranges::count_if(results, [](const auto& r) { return r.trial.rounds == 80 && r.trial.seed == 1; });
  };
  EXPECT_EQ(finalists(0.48), 2);
  EXPECT_EQ(finalists(0.46), 1);
}

TEST(Figure3Race, ASettingWithoutRivalsRunsAllRoundsAtOnce) {
  const Figure3Setup setup{.seeds = 1};
  const Figure3Grid grid{.rates = {0.1}, .local_steps = {10}, .lambdas = {1.0}, .methods = {"fedprox"}};
  const auto results = raced(setup, grid, late_winner);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results.front().trial.rounds, 80U);
}

TEST(Figure3Race, ALongTrialThatWasMeasuredAfterTwentyRoundsNeedsNoShortOne) {
  const Figure3Setup setup{.seeds = 1};
  const Figure3Setting known{.rate = 0.1, .local_steps = 10};
  Figure3Result longer = made_up({.method = "fedavg", .setting = known, .seed = 1, .rounds = 80}, 0.7);
  longer.points.insert(longer.points.begin() + 1, Figure3Point{20, 20, 1.0, 0.5});
  const Figure3Grid grid{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg"}};
  const Figure3Race race = race_of("fedavg", setup, grid, std::vector{longer});
  ASSERT_EQ(race.pending.size(), 1U);
  EXPECT_EQ(race.pending.front().setting.rate, 0.05);
  EXPECT_EQ(race.pending.front().rounds, 20U);
}

TEST(Figure3Race, ADivergedSettingIsNeverChosen) {
  const Figure3Setup setup;
  const Figure3Grid grid{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg", "scaffold"}};
  const Figure3 figure = figure3_of(setup, grid, raced(setup, grid, [](const Figure3Trial& trial) {
                                      return trial.method == "scaffold" || trial.setting.rate == 0.1 ? -1.0 : 0.2;
                                    }));
  EXPECT_TRUE(figure.complete());
  ASSERT_EQ(figure.lines.size(), 1U);  // nothing is left of scaffold
  EXPECT_EQ(figure.lines.front().setting.rate, 0.05);
  EXPECT_THAT(figure3_markdown(figure), HasSubstr("| rate 0.1, K 10 | eliminated at round 20: diverged |"));
}

TEST(Figure3Race, AWiderGridContinuesTheSameRace) {
  const Figure3Setup setup;
  const Figure3Grid narrow{.rates = {0.05}, .local_steps = {10}, .methods = {"fedavg"}};
  const Figure3Grid wide{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg"}};
  const auto first = raced(setup, narrow, late_winner);
  EXPECT_EQ(figure3_of(setup, narrow, first).lines.front().setting.rate, 0.05);
  const Figure3 both = figure3_of(setup, wide, raced(setup, wide, late_winner, 1000, first));
  EXPECT_EQ(both.lines.front().setting.rate, 0.1);
  EXPECT_EQ(status_of(both, "fedavg", {.rate = 0.05, .local_steps = 10}).state, SettingState::eliminated);
}

TEST(Figure3Race, NothingIsLeftToDoForAMethodThatWasNotAskedFor) {
  const Figure3Setup setup;
  const Figure3Grid two{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg", "scaffnew"}};
  const auto begun = raced(setup, two, late_winner, 2);  // two trials of fedavg
  const Figure3Grid one{.rates = {0.05}, .local_steps = {10}, .methods = {"scaffnew"}};
  const auto results = raced(setup, one, late_winner, 1000, begun);
  EXPECT_EQ(std::ranges::count_if(results, [](const auto& r) { return r.trial.method == "fedavg"; }), 2);
  EXPECT_EQ(results.back().trial.rounds, 80U);
}

TEST(Figure3Race, AStoppedRaceContinuesToTheSameTable) {
  const Figure3Setup setup;
  const Figure3Grid grid{.local_steps = {10}};
  const auto whole = raced(setup, grid, late_winner);
  for (const std::size_t cut : {std::size_t{1}, std::size_t{7}, whole.size() - 1}) {
    const auto stopped = raced(setup, grid, late_winner, cut);
    EXPECT_EQ(stopped.size(), cut);
    EXPECT_FALSE(figure3_of(setup, grid, stopped).complete());
    EXPECT_EQ(figure3_markdown(figure3_of(setup, grid, raced(setup, grid, late_winner, 1000, stopped))),
              figure3_markdown(figure3_of(setup, grid, whole)));
  }
}

TEST(Figure3, ThePageSaysHowMuchOfTheGridHasBeenSeenAndWhatBecameOfIt) {
  const Figure3Setup setup;
  const Figure3Grid grid{.rates = {0.05, 0.1}, .local_steps = {10}, .methods = {"fedavg"}};
  const Figure3 part = figure3_of(setup, grid, raced(setup, grid, late_winner, 1));
  EXPECT_THAT(figure3_markdown(part), HasSubstr("1 of the 144 settings of the paper's grid have been seen"));
  EXPECT_THAT(figure3_markdown(part), HasSubstr("| rate 0.05, K 10 | in the race at round 20: 30.50 % |"));
  EXPECT_THAT(figure3_json(part), HasSubstr("\"complete\": false"));
  const std::string page = figure3_markdown(figure3_of(setup, grid, raced(setup, grid, late_winner)));
  EXPECT_THAT(page, HasSubstr("| fedavg | rate 0.1, K 10 | yes | 3 | 1.6900 | 61.00 % |"));
  EXPECT_THAT(page, HasSubstr("| rate 0.05, K 10 | eliminated at round 80: 45.50 % |"));
  EXPECT_THAT(page, HasSubstr("2 of 8 settings seen; no trial is left"));
  EXPECT_THAT(figure3_svg(figure3_of(setup, grid, raced(setup, grid, late_winner))), HasSubstr("fedavg, K 10"));
}

TEST(Figure3File, GivesBackWhatWasAdded) {
  const TempFolder folder;
  const Figure3Setup setup{.images = 100};
  const Figure3Result one =
      made_up({.method = "fedprox", .setting = {0.1, 10, 1e-3}, .seed = 2, .rounds = 5}, 1.0 / 3.0);
  const Figure3Result two = made_up({.method = "fedavg", .setting = {0.02, 20, {}}, .seed = 1, .rounds = 20}, -1.0);
  {
    Figure3File file(folder.path(), setup);
    file.check_images("digest");
    file.add(one);
    file.add(two);
  }
  Figure3File file(folder.path(), setup);
  EXPECT_EQ(file.results(), (std::vector{one, two}));
  expect_error<DataError>([&] { file.check_images("other"); }, {"images", "digest", "other"});
}

TEST(Figure3File, ADamagedFileIsADataErrorWithItsLine) {
  const TempFolder folder;
  {
    Figure3File file(folder.path(), {});
    file.add(made_up({.method = "fedavg", .setting = {0.1, 10, {}}, .seed = 1, .rounds = 20}, 0.25));
  }
  const std::string whole = TempFolder::read(folder / Figure3File::name);
  const auto damaged = [&](const std::string& text, const std::string& location) {
    folder.write(Figure3File::name, text);
    expect_error<DataError>([&] { Figure3File(folder.path(), {}); }, {location});
  };
  std::string changed = whole;
  changed[changed.find("0.25") + 3] = '6';
  damaged(changed, "study.jsonl:2");
  damaged(whole.substr(0, whole.size() - 20), "study.jsonl:2");
  damaged("x" + whole, "study.jsonl:1");
  damaged("", "empty");
}

TEST(Figure3File, AnotherConfigurationInTheFolderIsRejectedByName) {
  const TempFolder folder;
  Figure3File(folder.path(), {});
  expect_error<ConfigError>([&] { Figure3File(folder.path(), {.data = "cifar100"}); }, {"data", "cifar10", "cifar100"});
  expect_error<ConfigError>([&] { Figure3File(folder.path(), {.rounds = 40}); }, {"rounds = 80", "40"});
  EXPECT_NO_THROW(Figure3File(folder.path(), {.seeds = 5}));  // more seeds continue the same study
}

TEST(Figure3File, AFolderWithOtherFilesIsNoStudy) {
  const TempFolder folder;
  folder.write("notes.txt", "x");
  expect_error<ConfigError>([&] { Figure3File(folder.path(), {}); }, {"other files", "--out"});
}

}  // namespace
}  // namespace driftless
