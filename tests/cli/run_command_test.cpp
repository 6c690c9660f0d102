// The files and the output of `driftless run`.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* two_methods = R"(seed = 2
[problem]
kind = "quadratic"
dim = 20
[federation]
clients = 4
[[method]]
name = "gd"
step = 0.01
[[method]]
name = "fedred-gd"
output = "weighted"
lambda = 5
eta = 100
p = 0.1
[stop]
rounds = 12
[output]
every = 5
)";

ProgramResult run_in(const TempFolder& folder, std::vector<std::string> arguments,
                     const std::string& config = two_methods) {
  folder.write("case.toml", config);
  arguments.insert(arguments.begin(), {"run", "case.toml"});
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

json read_json(const fs::path& file) { return json::parse(TempFolder::read(file)); }

TEST(RunDirectory, HasTheFilesOfTheContract) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, {"--out", "out"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* file : {"config.toml", "run.json", "gd/metrics.csv", "gd/metrics.jsonl", "gd/summary.json",
                           "gd/model.npy", "fedred-gd/metrics.csv", "fedred-gd/model.npy", "fedred-gd/output.npy"})
    EXPECT_TRUE(fs::exists(folder / "out" / file)) << file;
  EXPECT_FALSE(fs::exists(folder / "out/gd/output.npy"));
  EXPECT_FALSE(fs::exists(folder / "out/split.json"));
  EXPECT_THAT(TempFolder::read(folder / "out/gd/model.npy"), testing::StartsWith(std::string("\x93NUMPY\x01\x00", 8)));
}

TEST(RunDirectory, IsNamedAfterConfigurationTimeAndHash) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {}).exit_code, 0);
  ASSERT_EQ(run_in(folder, {}).exit_code, 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder / "runs")) names.push_back(entry.path().filename().string());
  ASSERT_EQ(names.size(), 2U);
  for (const std::string& name : names) EXPECT_THAT(name, testing::MatchesRegex("case-[0-9]+T[0-9]+Z-[0-9a-f]+(-2)?"));
}

TEST(RunDirectory, MeasuresEveryKthRoundAndTheLast) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}).exit_code, 0);
  const Cells cells = read_csv(folder / "out/gd/metrics.csv");
  std::vector<std::string> rounds;
  for (const auto& row : cells) rounds.push_back(row.front());
  EXPECT_THAT(rounds, testing::ElementsAre("round", "0", "5", "10", "12"));
}

TEST(RunDirectory, CsvHasTheColumnsOfTheContractAndJsonlTheSameRows) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}).exit_code, 0);
  EXPECT_THAT(
      TempFolder::read(folder / "out/gd/metrics.csv"),
      testing::StartsWith(
          "round,exchanges,messages,bytes_up,bytes_down,local_steps,grad_evals,wall_s,f,f_gap,grad_norm,dist\n"));
  const Cells cells = read_csv(folder / "out/gd/metrics.csv");
  std::istringstream lines(TempFolder::read(folder / "out/gd/metrics.jsonl"));
  std::size_t row = 1;
  for (std::string line; std::getline(lines, line); ++row) {
    const json parsed = json::parse(line);
    ASSERT_LT(row, cells.size());
    for (std::size_t c = 0; c < cells[0].size(); ++c)
      EXPECT_EQ(parsed.at(cells[0][c]).get<double>(), std::stod(cells[row][c])) << cells[0][c];
  }
  EXPECT_EQ(row, cells.size());
}

TEST(RunDirectory, LeavesGapAndDistanceEmptyWithoutReference) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out", "-c", "problem.reference=none"}).exit_code, 0);
  const Cells cells = read_csv(folder / "out/gd/metrics.csv");
  EXPECT_EQ(cells[1][9], "");
  EXPECT_EQ(cells[1][11], "");
  EXPECT_NE(cells[1][10], "");
}

TEST(RunDirectory, TheRecordHasProgramMachineAndTheEndOfEachMethod) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out", "-c", "federation.threads=2"}).exit_code, 0);
  const json record = read_json(folder / "out/run.json");
  EXPECT_EQ(record.at("schema_version"), 1);
  EXPECT_EQ(record.at("threads"), 2);
  EXPECT_EQ(record.at("seed"), 2);
  EXPECT_EQ(record.at("exit_code"), 0);
  EXPECT_EQ(record.at("methods").size(), 2U);
  EXPECT_EQ(record.at("methods")[0].at("stop_reason"), "rounds");
  for (const char* key : {"version", "compiler", "cpu", "start", "end"})
    EXPECT_FALSE(record.at(key).get<std::string>().empty()) << key;
}

TEST(RunDirectory, SummaryHasTotalsTargetsAndHowLocalSolvesEnded) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}).exit_code, 0);
  const json summary = read_json(folder / "out/fedred-gd/summary.json");
  EXPECT_EQ(summary.at("targets_of"), "gap");
  EXPECT_EQ(summary.at("targets").size(), 4U);
  EXPECT_TRUE(summary.at("targets")[0].at("reached").get<bool>());
  EXPECT_EQ(summary.at("totals").at("rounds"), 12);
  EXPECT_EQ(summary.at("totals").at("exchanges"), 1 + 2 * 12);
  EXPECT_EQ(summary.at("totals").at("output_point").at("exchanges"), 1);
  EXPECT_EQ(summary.at("local_solves").at("steps done"), 4 * 12);
}

TEST(RunDirectory, TheSummaryCountsScalarsSeparately) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}, R"([problem]
kind = "quadratic"
dim = 30
[federation]
clients = 5
[[method]]
name = "giant"
halvings = 3
[stop]
rounds = 2
)")
                .exit_code,
            0);
  const json totals = read_json(folder / "out/giant/summary.json").at("totals");
  EXPECT_EQ(totals.at("scalars_up"), 2 * 5 * (1 + 4));  // f(x), and f at four step sizes
  EXPECT_EQ(totals.at("bytes_up"), 2 * 5 * 2 * 30 * 8);
}

TEST(RunDirectory, KeepsTheSplitOfDataWithItsDigest) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}, R"([problem]
kind = "least-squares"
data = "generated"
rows = 60
dim = 10
nonzeros_per_row = 3
[federation]
clients = 3
split = "label"
[[method]]
name = "gd"
step = 0.1
[stop]
rounds = 3
)")
                .exit_code,
            0);
  const json split = read_json(folder / "out/split.json");
  EXPECT_EQ(split.at("clients").size(), 3U);
  EXPECT_EQ(read_json(folder / "out/run.json").at("data")[0].at("sha256"), split.at("data").at("sha256"));
}

TEST(RunCommand, PrintsTheTableOfTargetsWithRatiosToGd) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, {"--out", "out"});
  EXPECT_THAT(result.out, HasSubstr("1e-2 of the first gap"));
  EXPECT_THAT(result.out, HasSubstr("rounds/gd"));
  EXPECT_THAT(result.out, HasSubstr("reached by nobody"));
  EXPECT_THAT(result.out, HasSubstr("results in out"));
}

TEST(RunCommand, JsonIsOneObjectOnStandardOutput) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, {"--out", "out", "--format", "json"});
  const json parsed = json::parse(result.out);
  EXPECT_EQ(parsed.at("directory"), "out");
  EXPECT_EQ(parsed.at("methods").size(), 2U);
  EXPECT_EQ(parsed.at("table").at("baseline"), "gd");
  EXPECT_EQ(parsed.at("table").at("targets").size(), 4U);
}

TEST(RunCommand, ShowsNoProgressLineWhereThereIsNoTerminal) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, {"--out", "out"});
  EXPECT_THAT(result.err, Not(HasSubstr("\r")));
  EXPECT_THAT(result.err, Not(HasSubstr("\033")));
}

TEST(RunCommand, DryRunPrintsAConfigurationThatPrintsItselfAndWritesNothing) {
  const TempFolder folder;
  const ProgramResult first = run_in(folder, {"--dry-run"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_FALSE(fs::exists(folder / "runs"));
  EXPECT_THAT(first.out, HasSubstr("lambda = 5"));
  EXPECT_EQ(run_in(folder, {"--dry-run", "-c", "output.name=case"}, first.out).out, first.out);
}

TEST(RunCommand, FlagsWinOverEnvironmentAndEnvironmentOverFile) {
  const TempFolder folder;
  const std::string config = std::string(two_methods) + "\n";
  folder.write("case.toml", config);
  const auto threads = [&](std::vector<std::string> more, const std::string& environment) {
    std::vector<std::string> arguments{"run", "case.toml", "--dry-run", "-c", "federation.clients=4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_program(
        {.arguments = arguments, .folder = folder.path(), .environment = {{"DRIFTLESS_THREADS", environment}}});
    const std::size_t at = result.out.find("threads = ");
    return result.out.substr(at, result.out.find('\n', at) - at);
  };
  EXPECT_EQ(threads({}, ""), "threads = 0");
  EXPECT_EQ(threads({}, "3"), "threads = 3");
  EXPECT_EQ(threads({"-c", "federation.threads=2"}, "3"), "threads = 2");
}

TEST(RunCommand, OverridesReachEveryMethodThatHasTheOptionOrOneByItsLabel) {
  const TempFolder folder;
  const ProgramResult all = run_in(folder, {"--dry-run", "-c", "method.seed=9", "-c", "stop.rounds=3"});
  EXPECT_THAT(all.out, HasSubstr("name = \"gd\"\nlabel = \"gd\"\nseed = 9"));
  EXPECT_THAT(all.out, HasSubstr("label = \"fedred-gd\"\nseed = 9"));
  EXPECT_THAT(all.out, HasSubstr("rounds = 3"));
  const ProgramResult one = run_in(folder, {"--dry-run", "-c", "method.fedred-gd.seed=9", "-c", "method.p=0.5"});
  EXPECT_THAT(one.out, HasSubstr("label = \"gd\"\nseed = 2"));
  EXPECT_THAT(one.out, HasSubstr("label = \"fedred-gd\"\nseed = 9"));
  EXPECT_THAT(one.out, HasSubstr("p = 0.5"));
}

TEST(RunCommand, DivergenceEndsWithExitCode1KeepsMetricsAndLetsTheOthersRun) {
  const TempFolder folder;
  const ProgramResult result = run_in(folder, {"--out", "out", "-c", "method.gd.step=10", "-c", "output.every=1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("method 'gd' diverged in round"));
  EXPECT_THAT(result.err, HasSubstr("smaller step"));
  EXPECT_GT(read_csv(folder / "out/gd/metrics.csv").size(), 2U);
  const json record = read_json(folder / "out/run.json");
  EXPECT_EQ(record.at("exit_code"), 1);
  EXPECT_EQ(record.at("methods")[0].at("stop_reason"), "diverged");
  EXPECT_EQ(record.at("methods")[1].at("stop_reason"), "rounds");
}

// Sends the signal as soon as some rows are written, and expects an orderly end.
void expect_orderly_end(int signal, int exit_code) {
  const TempFolder folder;
  folder.write("case.toml", two_methods);
  Program program(
      {.arguments = {"run", "case.toml", "--out", "out", "-c", "stop.rounds=1000000000", "-c", "output.every=1"},
       .folder = folder.path()});
  for (int attempt = 0; attempt < 500 && read_csv(folder / "out/gd/metrics.csv").size() < 3; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.send(signal);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_GE(read_csv(folder / "out/gd/metrics.csv").size(), 3U);
  EXPECT_TRUE(fs::exists(folder / "out/gd/model.npy"));
  EXPECT_FALSE(fs::exists(folder / "out/fedred-gd"));
  const json record = read_json(folder / "out/run.json");
  EXPECT_EQ(record.at("exit_code"), exit_code);
  EXPECT_EQ(record.at("methods")[0].at("stop_reason"), "interrupted");
}

TEST(RunCommand, AnInterruptEndsTheRunAfterTheRoundAndKeepsItsResults) { expect_orderly_end(SIGINT, 130); }
TEST(RunCommand, TerminationEndsTheRunAfterTheRoundAndKeepsItsResults) { expect_orderly_end(SIGTERM, 143); }

TEST(RunCommand, LeavesNoDirectoryWhenTheDataIsBad) {
  const TempFolder folder;
  folder.write("data.svm", "1 0:1\n");
  const ProgramResult result = run_in(folder, {"--out", "out"},
                                      "[problem]\nkind = \"logistic\"\ndata = \"data.svm\"\n[federation]\nclients = "
                                      "1\n[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 1\n");
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(RunCommand, RowsOfOneClassAreAWarning) {
  const TempFolder folder;
  folder.write("data.svm", "1 1:1\n1 1:2\n");
  const ProgramResult result = run_in(folder, {"--out", "out"},
                                      "[problem]\nkind = \"logistic\"\ndata = \"data.svm\"\n[federation]\nclients = "
                                      "1\n[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 1\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("warning: all rows have the label 1"), std::string::npos) << result.err;
}

TEST(RunCommand, OneFilePerClientSharesDimensionAndLabels) {
  const TempFolder folder;
  folder.write("north.svm", "1 1:1 2:0.5 3:0\n0 2:1\n");
  folder.write("south.svm", "1 3:0.25\n1 1:-1 3:2\n1 2:1\n");
  const ProgramResult result = run_in(folder, {"--out", "out"},
                                      "[problem]\nkind = \"logistic\"\n[federation]\nfiles = [\"north.svm\", "
                                      "\"south.svm\"]\n[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 4\n");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json record = read_json(folder / "out/run.json");
  EXPECT_EQ(record.at("problem").at("dim"), 3);
  EXPECT_EQ(record.at("problem").at("clients"), 2);
  EXPECT_EQ(record.at("data").size(), 2U);
}

TEST(RunCommand, ResultsNameDataWithoutTheFoldersOfTheMachine) {
  const TempFolder folder;
  folder.write("rows.svm", "1 1:1 2:0.5 3:0\n0 2:1\n1 3:0.25\n0 1:-1 3:2\n");
  const std::string config =
      "[problem]\nkind = \"logistic\"\ndata = \"rows.svm\"\nl2 = 0.5\n[federation]\nclients = 2\n"
      "[[method]]\nname = \"gd\"\nstep = 1\n[stop]\nrounds = 4\n";
  const ProgramResult result = run_in(folder, {"--out", "out", "--format", "json"}, config);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& problem :
       {read_json(folder / "out/run.json").at("problem"), json::parse(result.out).at("problem")}) {
    EXPECT_EQ(problem.at("kind"), "logistic");
    EXPECT_EQ(problem.at("data"), "rows.svm");
    EXPECT_EQ(problem.at("rows"), 4);
    EXPECT_EQ(problem.at("columns"), 3);
    EXPECT_EQ(problem.at("clients"), 2);
    EXPECT_EQ(problem.at("split"), "iid");
    EXPECT_EQ(problem.at("l2"), 0.5);
    EXPECT_EQ(problem.at("sha256").get<std::string>().size(), 64U);
    EXPECT_EQ(problem.at("summary"), "logistic on rows.svm: 4 rows, 3 variables, 2 clients (iid), l2 = 0.5");
  }
  ASSERT_EQ(run_program({.arguments = {"report", "out"}, .folder = folder.path()}).exit_code, 0);
  for (const char* file : {"out/run.json", "out/split.json", "out/report.html"})
    EXPECT_EQ(TempFolder::read(folder / file).find(folder.path().string()), std::string::npos) << file;
}

TEST(RunCommand, StartsFromAFileThatAnotherRunLeft) {
  const TempFolder folder;
  ASSERT_EQ(run_in(folder, {"--out", "out"}).exit_code, 0);
  ASSERT_EQ(run_in(folder, {"--out", "next", "-c", "problem.x0=out/gd/model.npy"}).exit_code, 0);
  const Cells before = read_csv(folder / "out/gd/metrics.csv");
  const Cells after = read_csv(folder / "next/gd/metrics.csv");
  EXPECT_EQ(before.back()[8], after[1][8]);
}

}  // namespace
}  // namespace driftless
