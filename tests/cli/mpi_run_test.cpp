// driftless run --transport mpi: the files of one process, the output of one rank, one exit code.
#include "tests/cli/program.hpp"
#include "tests/cli/same_bits.hpp"
#include "tests/cli/tables/table_files.hpp"
#include "tests/support/temp_folder.hpp"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Call on_ranks(const TempFolder& folder, std::vector<std::string> arguments, const std::string& threads = "") {
  Call call{.arguments = std::move(arguments), .folder = folder.path(), .program = DRIFTLESS_MPIRUN};
  std::istringstream environment(DRIFTLESS_MPI_ENVIRONMENT);
  for (std::string setting; environment >> setting;) {
    const std::size_t equals = setting.find('=');
    call.environment.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  call.environment.emplace_back("DRIFTLESS_THREADS", threads);
  return call;
}

std::vector<std::string> command(const std::string& ranks, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"-n", ranks, DRIFTLESS_PROGRAM_FILE, "run", "case.toml", "--transport", "mpi"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Ranks {
  std::string count;
  std::string threads;
};

void expect_bits_of_one_process(const std::string& config, const std::vector<std::string>& labels,
                                const std::vector<Ranks>& layouts) {
  const TempFolder folder;
  folder.write("case.toml", config);
  const ProgramResult alone =
      run_program({.arguments = {"run", "case.toml", "--out", "alone"}, .folder = folder.path()});
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const auto& [count, threads] : layouts) {
    const std::string out = "on-" + count;
    const ProgramResult result = run_program(on_ranks(folder, command(count, {"--out", out}), threads));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    for (const std::string& label : labels) {
      const std::string bytes = fingerprint(folder / "alone", label);
      ASSERT_GT(bytes.size(), 500U);
      EXPECT_TRUE(bytes == fingerprint(folder / out, label)) << label << " on " << count << " ranks";
    }
    EXPECT_EQ(TempFolder::read(folder / "alone/constants.json"), TempFolder::read(folder / out / "constants.json"));
  }
}

TEST(MpiRun, EveryMethodGivesTheBitsOfOneProcess) {
  const std::vector<std::string> names = all_method_names();
  expect_bits_of_one_process(quadratic_config(names), names, {{"3", "1"}, {"2", "2"}, {"5", "1"}, {"8", "1"}});
}

TEST(MpiRun, LogisticRegressionGivesTheBitsOfOneProcess) {
  expect_bits_of_one_process(logistic_config(), {"fedred-sgd", "dane+"}, {{"3", "1"}, {"5", "2"}});
}

TEST(MpiRun, WithoutAMethodAutoGivesTheBitsOfOneProcess) {
  const std::string named = logistic_config();
  expect_bits_of_one_process(named.substr(0, named.find("[[method]]")) + "[stop]\ngrad_norm = 1e-7\nrounds = 60\n",
                             {"auto"}, {{"3", "1"}, {"2", "2"}});
}

// Preparation, cross-validation, fit, evaluation and inference.
TEST(MpiRun, APipelineOnTablesGivesTheFilesOfOneProcess) {
  const TempFolder folder;
  std::string files;
  for (const std::string name : {"north", "south", "west", "east", "centre"}) {
    std::string table = "age,ward,ill\n";
    for (std::size_t row = 0; row < 60; ++row) {
      const std::size_t age = (row * 37 + name.size() * 11 + name.front()) % 61;
      table += (row % 13 == 5 ? "" : std::to_string(age)) + "," + (row % 3 == 0 ? "a" : name) + "," +
               ((age + row) % 5 > 1 + row % 3 ? "yes" : "no") + "\n";
    }
    folder.write(name + ".csv", table);
    files += (files.empty() ? "\"" : ", \"") + name + ".csv\"";
  }
  folder.write("schema.toml",
               "[[column]]\nname = \"age\"\nrole = \"numeric\"\n[[column]]\nname = \"ward\"\nrole = \"categorical\"\n"
               "[[column]]\nname = \"ill\"\nrole = \"label\"\n");
  folder.write("case.toml", "[problem]\nkind = \"glm\"\nschema = \"schema.toml\"\nl2 = \"cv\"\nfolds = 3\n"
                            "path_length = 5\ntest = 0.2\n[federation]\nfiles = [" +
                                files + "]\n");
  ASSERT_EQ(run_program({.arguments = {"run", "case.toml", "--out", "alone"}, .folder = folder.path()}).exit_code, 0);
  const std::string bits = table_files(folder / "alone", "auto");
  ASSERT_GT(bits.size(), 3000U);
  for (const auto& [count, threads] : std::vector<Ranks>{{"2", "2"}, {"3", "1"}, {"5", "1"}}) {
    const ProgramResult result = run_program(on_ranks(folder, command(count, {"--out", "on-" + count}), threads));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(bits == table_files(folder / ("on-" + count), "auto")) << count << " ranks";
  }
}

// A round of scaffnew would last for minutes.
TEST(MpiRun, TimeAndWorkEndARoundForAllRanks) {
  const std::string config =
      "[problem]\nkind = \"quadratic\"\nstructure = \"diagonal\"\ndim = 2000\nsamples = 1\n[federation]\nclients = 5\n"
      "[[method]]\nname = \"scaffnew\"\nstep = 1e-3\np = 1e-9\n[[method]]\nname = \"gd\"\nstep = 1e-3\n[stop]\n"
      "rounds = 5\n";
  expect_bits_of_one_process(config + "seconds = 0.5\n", {"scaffnew", "gd"}, {{"3", "1"}});
  expect_bits_of_one_process(config + "grad_evals = 20000\n", {"scaffnew", "gd"}, {{"3", "1"}});
}

TEST(MpiRun, RobustMeansAreTheSame) {
  expect_bits_of_one_process(robust_config("aggregation = \"trimmed-mean\"\ntrim = 0.2"), robust_method_names(),
                             {{"3", "1"}});
}

TEST(MpiRun, ParametersFromTheoryAreTheSame) {
  expect_bits_of_one_process(
      "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 120\ndim = 12\n[federation]\nclients = 5\nsplit = "
      "\"iid\"\n[[method]]\nname = \"dane+-gd\"\nlambda = \"theory\"\neta = \"theory\"\n[stop]\nrounds = 5\n",
      {"dane+-gd"}, {{"3", "1"}});
}

TEST(MpiRun, RanksReadTheFilesOfTheirOwnClients) {
  const TempFolder folder;
  folder.write("north.svm", "1 1:1 2:0.5 3:0\n0 2:1\n");
  folder.write("south.svm", "1 3:0.25\n1 1:-1 3:2\n1 2:1\n");
  folder.write("case.toml",
               "[problem]\nkind = \"logistic\"\n[federation]\nfiles = [\"north.svm\", "
               "\"south.svm\"]\n[[method]]\nname = \"gd\"\noutput = \"best\"\nstep = 1\n[stop]\nrounds = 9\n");
  ASSERT_EQ(run_program({.arguments = {"run", "case.toml", "--out", "one"}, .folder = folder.path()}).exit_code, 0);
  const ProgramResult result = run_program(on_ranks(folder, command("3", {"--out", "three"})));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(fingerprint(folder / "one", "gd"), fingerprint(folder / "three", "gd"));
}

TEST(MpiRun, OnlyOneRankPrints) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd"}));
  const ProgramResult result = run_program(on_ranks(folder, command("3", {"--out", "out", "--format", "json"})));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NO_THROW(json::parse(result.out)) << result.out;
  EXPECT_EQ(result.err.find("7 clients"), result.err.rfind("7 clients")) << result.err;
}

TEST(MpiRun, AnErrorOfAllRanksIsPrintedOnceWithItsCode) {
  const TempFolder folder;
  folder.write("case.toml", "[problem]\nkind = \"nonsense\"\n");
  const ProgramResult result = run_program(on_ranks(folder, command("3")));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nonsense"));
  EXPECT_EQ(result.err.find("error: "), result.err.rfind("error: ")) << result.err;
}

TEST(MpiRun, AnErrorOfOneRankEndsAllWithItsMessageAndCode) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd"}));
  std::vector<std::string> words = command("2", {":", "-n", "1", "/usr/bin/env", "DRIFTLESS_THREADS=many"});
  const std::vector<std::string> third = command("1");
  words.insert(words.end(), third.begin() + 2, third.end());
  const ProgramResult result = run_program(on_ranks(folder, words));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("DRIFTLESS_THREADS"));
  EXPECT_THAT(result.err, HasSubstr("rank: 2 of 3"));
}

TEST(MpiRun, RanksMustHaveTheSameConfiguration) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd"}));
  std::vector<std::string> words = command("2", {":"});
  const std::vector<std::string> third = command("1", {"-c", "seed=6"});
  words.insert(words.end(), third.begin(), third.end());
  const ProgramResult result = run_program(on_ranks(folder, words));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("not all ranks have the same configuration"));
}

TEST(MpiRun, DivergenceIsAResult) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd"}));
  const ProgramResult result =
      run_program(on_ranks(folder, command("3", {"--out", "out", "-c", "method.step=1e9", "-c", "stop.rounds=99"})));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("diverged"));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/gd/model.npy"));
}

TEST(MpiRun, ASignalForwardedByMpirunEndsTheRunAfterTheRoundAndKeepsItsResults) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd", "fedavg"}));
  Program program(on_ranks(folder, command("3", {"--out", "out", "-c", "stop.rounds=1000000000"})));
  for (int attempt = 0; attempt < 1000 && read_csv(folder / "out/gd/metrics.csv").size() < 3; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.send(SIGUSR1);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "out/gd/model.npy"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/fedavg"));
  const json record = json::parse(TempFolder::read(folder / "out/run.json"));
  EXPECT_EQ(record.at("exit_code"), 130);
  EXPECT_EQ(record.at("methods")[0].at("stop_reason"), "interrupted");
}

TEST(MpiRun, TheTimeLimitIsThatOfEachMethod) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"gd", "fedavg"}));
  const ProgramResult result = run_program(
      on_ranks(folder, command("2", {"--out", "out", "-c", "stop.rounds=1000000000", "-c", "stop.seconds=0.3"})));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* method : {"gd", "fedavg"})
    EXPECT_GT(read_csv(folder / "out" / std::string(method) / "metrics.csv").size(), 5U) << method;
}

TEST(MpiRun, ASignalForwardedByMpirunEndsARoundThatDoesNotEnd) {
  const TempFolder folder;
  folder.write("case.toml", quadratic_config({"scaffnew"}));
  Program program(on_ranks(folder, command("3", {"--out", "out", "-c", "method.p=1e-12", "-c", "method.step=0.001"})));
  for (int attempt = 0; attempt < 1000 && read_csv(folder / "out/scaffnew/metrics.csv").size() < 2; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  program.send(SIGUSR1);
  const ProgramResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err, HasSubstr("was stopped in the middle of a round"));
  EXPECT_EQ(read_csv(folder / "out/scaffnew/metrics.csv").size(), 2U) << "the head and the start";
}

}  // namespace
}  // namespace driftless
