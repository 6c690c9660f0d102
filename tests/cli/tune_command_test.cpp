// The files and the output of `driftless tune`, and how a search that was killed continues.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const std::string search = "seed = 3\n"  // line 1
                           "[problem]\n"
                           "kind = \"quadratic\"\n"
                           "dim = 20\n"
                           "[federation]\n"  // line 5
                           "clients = 4\n"
                           "[[method]]\n"
                           "name = \"gd\"\n"
                           "step = 0.015\n"
                           "[[method]]\n"  // line 10
                           "name = \"fedred-gd\"\n"
                           "eta = 100\n"
                           "[method.search]\n"
                           "lambda = [1, 2, 5]\n"
                           "p = { low = 0.05, high = 0.5, scale = \"log\", count = 3 }\n"  // line 15
                           "[tune]\n"
                           "budget = { rounds = 400 }\n";

ProgramResult tune_in(const TempFolder& folder, std::vector<std::string> arguments,
                      const std::string& config = search) {
  folder.write("case.toml", config);
  arguments.insert(arguments.begin(), {"tune", "case.toml"});
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

// The message without the output before it.
std::string error_in(const ProgramResult& output) {
  const std::size_t at = output.err.find("error: ");
  return at == std::string::npos ? output.err : output.err.substr(at);
}

const std::vector<std::string> files{"trials.csv", "tune.json", "best.toml"};

void expect_same_files(const fs::path& a, const fs::path& b) {
  for (const std::string& file : files) {
    EXPECT_FALSE(TempFolder::read(a / file).empty()) << file;
    EXPECT_EQ(TempFolder::read(a / file), TempFolder::read(b / file)) << file;
  }
}

TEST(TuneCommand, WritesTrialsResultAndAConfiguration) {
  const TempFolder folder;
  const ProgramResult output = tune_in(folder, {"--out", "out"});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.out, HasSubstr("best settings, by rounds"));
  EXPECT_THAT(output.out, HasSubstr("1e-8 of the first gap"));
  EXPECT_THAT(output.out, HasSubstr("results in out"));
  EXPECT_EQ(output.err.find('\r'), std::string::npos);
  const Cells trials = read_csv(folder / "out/trials.csv");
  ASSERT_EQ(trials.size(), 1U + 1U + 9U);
  EXPECT_THAT(std::vector<std::string>(trials[0].begin(), trials[0].begin() + 7),
              testing::ElementsAre("trial", "rung", "method", "seed", "lambda", "p", "end"));
  for (std::size_t line = 1; line < trials.size(); ++line) EXPECT_EQ(trials[line][0], std::to_string(line));
  EXPECT_EQ(trials[3][4], "1");
  EXPECT_EQ(trials[4][5], "0.5");
  const json result = json::parse(TempFolder::read(folder / "out/tune.json"));
  EXPECT_EQ(result.at("trials").size(), 10U);
  EXPECT_EQ(result.at("targets").size(), 4U);
  EXPECT_EQ(result.at("targets")[3].at("best").size(), 2U);
}

TEST(TuneCommand, JsonIsTheResultWithItsDirectory) {
  const TempFolder folder;
  const ProgramResult output = tune_in(folder, {"--out", "out", "--format", "json"});
  json printed = json::parse(output.out);
  EXPECT_EQ(printed.at("directory"), "out");
  EXPECT_EQ(printed.at("complete"), true);
  printed.erase("directory");
  printed.erase("complete");
  EXPECT_EQ(printed, json::parse(TempFolder::read(folder / "out/tune.json")));
}

TEST(TuneCommand, BestConfigurationRunsAndReachesTheSameNumbers) {
  const TempFolder folder;
  ASSERT_EQ(tune_in(folder, {"--out", "out"}).exit_code, 0);
  const ProgramResult run =
      run_program({.arguments = {"run", "out/best.toml", "--out", "again"}, .folder = folder.path()});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json result = json::parse(TempFolder::read(folder / "out/tune.json"));
  std::size_t compared = 0;
  for (std::size_t target = 0; target < 4; ++target) {
    for (const json& best : result.at("targets")[target].at("best")) {
      bool found = false;
      for (const auto& entry : fs::directory_iterator(folder / "again")) {
        if (!entry.is_directory()) continue;
        const json at = json::parse(TempFolder::read(entry.path() / "summary.json")).at("targets")[target];
        const bool same = entry.path().filename().string().starts_with(best.at("method").get<std::string>()) &&
                          at.at("reached") == true && at.at("round") == best.at("rounds") &&
                          at.at("grad_evals") == best.at("grad_evals") && at.at("bytes") == best.at("bytes");
        found = found || same;
      }
      EXPECT_TRUE(found) << best;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8U);
}

TEST(TuneCommand, FilesDoNotDependOnThreads) {
  const TempFolder folder;
  ASSERT_EQ(tune_in(folder, {"--out", "one", "-c", "federation.threads=1"}).exit_code, 0);
  ASSERT_EQ(tune_in(folder, {"--out", "seven", "-c", "federation.threads=7"}).exit_code, 0);
  EXPECT_EQ(TempFolder::read(folder / "one/trials.csv"), TempFolder::read(folder / "seven/trials.csv"));
  EXPECT_EQ(TempFolder::read(folder / "one/tune.json"), TempFolder::read(folder / "seven/tune.json"));
}

// Many trials that never end early, so that a search can be caught in the middle.
std::string long_search() {
  std::string text = edit(search, "lambda = [1, 2, 5]", "lambda = { low = 1, high = 9 }");
  text = edit(edit(text, ", count = 3", ""), "dim = 20\n", "dim = 20\nreference = \"none\"\n");
  return edit(text, "rounds = 400", "rounds = 20000") +
         "strategy = \"halving\"\ntrials = 60\ntargets = [1e-2, 1e-300]\n";
}

std::size_t lines_in(const fs::path& file) {
  const std::string text = TempFolder::read(file);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// Starts the search and sends the signal when some trials are finished.
ProgramResult interrupted(const TempFolder& folder, int signal) {
  folder.write("case.toml", long_search());
  Program program(
      {.arguments = {"tune", "case.toml", "--out", "cut", "-c", "federation.threads=2"}, .folder = folder.path()});
  for (int attempt = 0; attempt < 5000 && lines_in(folder / "cut/trials.csv") < 5; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.send(signal);
  return program.wait();
}

TEST(TuneCommand, KilledSearchResumesToTheSameFiles) {
  const TempFolder folder;
  ASSERT_EQ(tune_in(folder, {"--out", "whole", "-c", "federation.threads=2"}, long_search()).exit_code, 0);
  EXPECT_EQ(interrupted(folder, SIGKILL).exit_code, -1);
  EXPECT_FALSE(fs::exists(folder / "cut/tune.json")) << "the search was over before it was killed";
  // As if it had been killed while it wrote a line.
  std::ofstream(folder / "cut/trials.csv", std::ios::app) << "60,0,fedred";
  const ProgramResult output = tune_in(folder, {"--resume", "cut", "-c", "federation.threads=2"}, long_search());
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("trials were finished before"));
  expect_same_files(folder / "whole", folder / "cut");
}

TEST(TuneCommand, InterruptEndsAfterTheTrialsUnderWayAndCanBeResumed) {
  const TempFolder folder;
  const ProgramResult output = interrupted(folder, SIGINT);
  EXPECT_EQ(output.exit_code, 130) << output.err;
  EXPECT_THAT(output.err, HasSubstr("continue with --resume cut"));
  EXPECT_FALSE(fs::exists(folder / "cut/tune.json"));
  ASSERT_EQ(tune_in(folder, {"--out", "cut", "-c", "federation.threads=2"}, long_search()).exit_code, 0);
  ASSERT_EQ(tune_in(folder, {"--out", "whole", "-c", "federation.threads=2"}, long_search()).exit_code, 0);
  expect_same_files(folder / "whole", folder / "cut");
}

TEST(TuneCommand, AnotherConfigurationIsNotContinued) {
  const TempFolder folder;
  ASSERT_EQ(tune_in(folder, {"--out", "out"}).exit_code, 0);
  const ProgramResult other = tune_in(folder, {"--out", "out", "-c", "tune.budget.rounds=399"});
  EXPECT_EQ(other.exit_code, 2);
  expect_message(error_in(other), {"another configuration", "out/config.toml"});
  const ProgramResult same =
      tune_in(folder, {"--out", "out", "-c", "federation.threads=1", "-c", "output.dir=elsewhere"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
}

TEST(TuneCommand, OtherFoldersAndDamagedTrialsAreRejected) {
  const TempFolder folder;
  folder.write("full/file", "x");
  const ProgramResult foreign = tune_in(folder, {"--out", "full"});
  EXPECT_EQ(foreign.exit_code, 2);
  expect_message(foreign.err, {"not empty", "--out: full"});
  const ProgramResult missing = tune_in(folder, {"--resume", "nowhere"});
  EXPECT_EQ(missing.exit_code, 2);
  expect_message(missing.err, {"no search to resume", "--resume nowhere"});
  ASSERT_EQ(tune_in(folder, {"--out", "out"}).exit_code, 0);
  std::string text = TempFolder::read(folder / "out/trials.csv");
  folder.write("out/trials.csv", edit(text, "\n2,0,fedred-gd,3,1,", "\n2,0,fedred-gd,3,7,"));
  const ProgramResult damaged = tune_in(folder, {"--out", "out"});
  EXPECT_EQ(damaged.exit_code, 5);
  expect_message(error_in(damaged), {"does not belong to this search", "trials.csv:3"});
}

TEST(TuneCommand, TheConfigurationThatItWritesRepeatsTheSearch) {
  const TempFolder folder;
  ASSERT_EQ(tune_in(folder, {"--out", "out"}).exit_code, 0);
  const ProgramResult again =
      run_program({.arguments = {"tune", "out/config.toml", "--out", "again"}, .folder = folder.path()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  expect_same_files(folder / "out", folder / "again");
}

TEST(TuneCommand, SearchesDefaultRangesWithinTheStopOfARunWhereNoneAreGiven) {
  const TempFolder folder;
  const ProgramResult output =
      tune_in(folder, {"--out", "out"},
              "[problem]\nkind = \"quadratic\"\ndim = 20\n[federation]\nclients = 4\n[[method]]\nname = \"gd\"\n"
              "step = 0.01\n[[method]]\nname = \"dane\"\nlambda = \"theory\"\n[stop]\nrounds = 30\n");
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.err, HasSubstr("no ranges are given"));
  EXPECT_THAT(output.out, HasSubstr("a trial may spend 30 rounds, 100000 grad_evals"));
  const json found = json::parse(TempFolder::read(folder / "out/tune.json"));
  EXPECT_EQ(found.at("trials").size(), 11U);  // 5 steps, 6 values of lambda
  const ProgramResult again =
      run_program({.arguments = {"tune", "out/config.toml", "--out", "again"}, .folder = folder.path()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  expect_same_files(folder / "out", folder / "again");
}

TEST(TuneCommand, ExampleIsReadable) {
  const TempFolder folder;
  const std::string example = std::string(DRIFTLESS_SOURCE_FOLDER) + "/examples/tune/synthetic.toml";
  const ProgramResult output = run_program({.arguments = {"tune", example, "--dry-run"}, .folder = folder.path()});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_THAT(output.out, HasSubstr("[tune.budget]\nrounds = 1500"));
}

std::vector<BadCase> bad_searches() {
  const auto bad = [](std::string name, const std::string& from, const std::string& to,
                      std::vector<std::string> fragments) {
    return BadCase{.name = std::move(name),
                   .config = edit(search, from, to),
                   .flags = {},
                   .files = {},
                   .fragments = std::move(fragments)};
  };
  return {
      bad("BudgetIsNumber", "{ rounds = 400 }", "400", {"'budget' is a table", "case.toml:17"}),
      bad("BudgetUnknown", "rounds = 400", "round = 400", {"unknown key 'round'", "case.toml:17", "'rounds'"}),
      bad("BudgetInSeconds", "rounds = 400", "seconds = 4", {"unknown key 'seconds'", "case.toml:17"}),
      bad("BudgetZero", "rounds = 400", "rounds = 0", {"'rounds'", "case.toml:17: rounds = 0", ">= 1"}),
      bad("UnknownKey", "[tune]\n", "[tune]\nstrategie = \"grid\"\n",
          {"unknown key 'strategie'", "case.toml:17", "did you mean 'strategy'"}),
      bad("UnknownStrategy", "[tune]\n", "[tune]\nstrategy = \"bayes\"\n",
          {"case.toml:17: strategy = \"bayes\"", "grid | random | halving"}),
      bad("UnknownCurrency", "[tune]\n", "[tune]\ncurrency = \"money\"\n",
          {"case.toml:17", "rounds | exchanges | bytes | grad_evals"}),
      bad("TrialsOfGrid", "[tune]\n", "[tune]\ntrials = 5\n", {"as many trials as it has points", "case.toml:17"}),
      bad("RandomWithoutTrials", "[tune]\n", "[tune]\nstrategy = \"random\"\n", {"needs 'trials'", "case.toml:16"}),
      bad("ReductionOne", "[tune]\n", "[tune]\nreduction = 1\n", {"case.toml:17: reduction = 1"}),
      bad("TargetsOfText", "[tune]\n", "[tune]\ntargets = [\"a\"]\n", {"'targets'", "case.toml:17", "list of numbers"}),
      bad("TargetAboveOne", "[tune]\n", "[tune]\ntargets = [0.1, 2]\n", {"parts of the first gap", "case.toml:17"}),
      bad("TargetsEmpty", "[tune]\n", "[tune]\ntargets = []\n", {"'targets'", "case.toml:17"}),
      bad("SearchIsValue",
          "[method.search]\nlambda = [1, 2, 5]\np = { low = 0.05, high = 0.5, scale = \"log\", count = 3 }\n",
          "search = 3\n", {"'search' is a table", "case.toml:13"}),
      bad("UnknownOption", "lambda = [1", "lamda = [1",
          {"unknown key 'lamda'", "case.toml:14", "did you mean 'lambda'"}),
      bad("MultiplesOfText", "lambda = [1, 2, 5]", "lambda = { theory = [\"a\"] }",
          {"'theory' is a list of multiples", "case.toml:14"}),
      bad("UnknownUnit", "count = 3 }", "count = 3, of = \"practice\" }", {"case.toml:15", "number | theory"}),
      bad("SingleValue", "lambda = [1, 2, 5]", "lambda = 5", {"neither a list of values nor a range", "case.toml:14"}),
      bad("EmptyList", "lambda = [1, 2, 5]", "lambda = []", {"neither a list of values nor a range", "case.toml:14"}),
      bad("NestedList", "lambda = [1, 2, 5]", "lambda = [1, {a = 2}]",
          {"neither a list of values nor a range", "case.toml:14"}),
      bad("ValueOutOfRange", "lambda = [1, 2, 5]", "lambda = [1, -2]",
          {"'lambda'", "case.toml:14: lambda = -2", "a number >= 0"}),
      bad("TextForNumber", "lambda = [1, 2, 5]", "lambda = [1, \"two\"]", {"'lambda'", "case.toml:14"}),
      bad("GivenAndSearched", "eta = 100", "eta = 100\nlambda = 3",
          {"'lambda' has a value and is searched", "case.toml:13: lambda = 3", "case.toml:15"}),
      bad("SeedSearched", "lambda = [1", "lambda = [1]\nseed = [1", {"'seed' cannot be searched", "case.toml:15"}),
      bad("RangeUnknownKey", "low = 0.05", "lo = 0.05", {"unknown key 'lo'", "case.toml:15", "did you mean 'low'"}),
      bad("RangeWithoutLow", "low = 0.05, ", "", {"'low' is required", "case.toml:15"}),
      bad("RangeBackwards", "low = 0.05", "low = 0.7", {"'high' is not above 'low'", "case.toml:15"}),
      bad("RangeLogFromZero", "low = 0.05", "low = 0", {"begins above 0", "case.toml:15"}),
      bad("RangeUnknownScale", "\"log\"", "\"cubic\"", {"case.toml:15: scale = \"cubic\"", "linear | log"}),
      bad("RangeWithoutCount", ", count = 3", "", {"needs 'count'", "case.toml:15: p"}),
      bad("RangeCountOne", "count = 3", "count = 1", {"case.toml:15: count = 1"}),
      bad("RangeBeyondOption", "high = 0.5", "high = 1.5", {"'p'", "case.toml:15: p = 1.5"}),
      bad("WholeOptionInFractions", "name = \"gd\"\nstep = 0.015\n",
          "name = \"fedavg\"\nstep = 0.01\n[method.search]\nlocal_steps = { low = 1.5, high = 9, count = 3 }\n",
          {"takes whole numbers", "case.toml:11"}),
      bad("GridTooLarge", "lambda = [1, 2, 5]\n",
          "lambda = { low = 1, high = 2, count = 9999 }\nmu = { low = 1, high = 2, count = 9999 }\n",
          {"too many points", "case.toml:13"}),
  };
}

class BadSearch : public testing::TestWithParam<BadCase> {};

TEST_P(BadSearch, IsRejectedWithItsLineAndAdvice) {
  const TempFolder folder;
  const ProgramResult output = tune_in(folder, GetParam().flags, GetParam().config);
  EXPECT_EQ(output.exit_code, GetParam().exit_code) << output.err;
  EXPECT_EQ(output.out, "");
  expect_message(output.err, GetParam().fragments);
  EXPECT_FALSE(fs::exists(folder / "runs"));
}

INSTANTIATE_TEST_SUITE_P(Table, BadSearch, testing::ValuesIn(bad_searches()), name_of);

TEST(RunCommand, RejectsAMethodWithOptionsLeftToASearch) {
  const TempFolder folder;
  folder.write("case.toml", search + "[stop]\nrounds = 3\n");
  const ProgramResult output = run_program({.arguments = {"run", "case.toml"}, .folder = folder.path()});
  EXPECT_EQ(output.exit_code, usage);
  expect_message(output.err, {"leaves options to a search", "case.toml:13", "driftless tune"});
}

}  // namespace
}  // namespace driftless
