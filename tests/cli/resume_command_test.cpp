// A run may be killed at any moment, and `driftless resume` completes it with the results of an undisturbed run.
#include "driftless/core/random.hpp"

#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* problem = R"(seed = 4
[problem]
kind = "quadratic"
structure = "rotated"
dim = 60
samples = 8
[federation]
clients = 6
)";

constexpr const char* four_methods = R"(
[[method]]
name = "fedred-gd"
output = "uniform"
lambda = 5
eta = 100
p = 0.1
[[method]]
name = "dane+"
output = "best"
lambda = 5
[[method]]
name = "scaffold"
step = 0.001
batch = 3
cohort = 3
[[method]]
name = "scaffnew"
step = 0.01
p = 0.1
)";
const std::vector<std::string> labels{"fedred-gd", "dane+", "scaffold", "scaffnew"};

std::string config(const std::string& methods, std::size_t rounds, const std::string& save_seconds) {
  return problem + methods + "[stop]\nrounds = " + std::to_string(rounds) +
         "\n[output]\nevery = 2\nsave_seconds = " + save_seconds + "\n";
}

// Numbers of seconds are the one thing that may differ, and with them the digest of the metrics.
json without_times(json value) {
  if (value.is_object()) value.erase("wall_s");
  if (value.is_object()) value.erase("metrics_sha256");
  if (value.is_structured())
    for (json& inner : value) inner = without_times(inner);
  return value;
}

std::string results(const fs::path& run, const std::string& label) {
  const json summary = json::parse(TempFolder::read(run / label / "summary.json"), nullptr, false);
  std::string text = without_column(read_csv(run / label / "metrics.csv"), "wall_s") + without_times(summary).dump() +
                     TempFolder::read(run / label / "model.npy") + TempFolder::read(run / label / "output.npy");
  std::ifstream lines(run / label / "metrics.jsonl");
  for (std::string line; std::getline(lines, line);) text += without_times(json::parse(line)).dump() + "\n";
  return text;
}

void expect_same_results(const fs::path& whole, const fs::path& other, const std::vector<std::string>& of) {
  for (const std::string& label : of) {
    const std::string bytes = results(whole, label);
    ASSERT_GT(bytes.size(), 1000U);
    EXPECT_TRUE(bytes == results(other, label)) << label;
    EXPECT_FALSE(fs::exists(other / label / "state.bin")) << label;
  }
  const json run = json::parse(TempFolder::read(other / "run.json"));
  EXPECT_EQ(run.at("exit_code"), 0);
  EXPECT_EQ(run.at("methods").size(), of.size());
}

ProgramResult call(const TempFolder& folder, std::vector<std::string> arguments) {
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

void wait_for(const fs::path& file) {
  for (int attempt = 0; attempt < 1000 && !fs::exists(file); ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(Resume, KilledAtRandomMomentsARunEndsWithTheSameBits) {
  const TempFolder folder;
  folder.write("case.toml", config(four_methods, 60, "0"));
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "whole", "-c", "output.save_seconds=1000"}).exit_code, 0);

  Stream moments(1, Purpose::generator);
  std::size_t killed = 0;
  for (std::vector<std::string> arguments{"run", "case.toml", "--out", "broken"}; killed < 10; ++killed) {
    Program program({.arguments = arguments, .folder = folder.path()});
    wait_for(folder / "broken/run.json");
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + moments.index(250)));
    program.send(SIGKILL);
    if (program.wait().exit_code != -1) break;  // it was finished first
    arguments = {"resume", "broken"};
  }
  EXPECT_GE(killed, 2U);
  const ProgramResult result = call(folder, {"resume", "broken"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_same_results(folder / "whole", folder / "broken", labels);
  const bool drafts = std::ranges::any_of(fs::recursive_directory_iterator(folder / "broken"), [](const auto& entry) {
    return entry.path().string().find(".part-") != std::string::npos;
  });
  EXPECT_FALSE(drafts) << "half-written files were left behind";
}

TEST(Resume, WhatWasDecidedBeforeAKillHoldsAfterwards) {
  const TempFolder folder;
  folder.write("case.toml", config("", 300, "0"));
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "whole", "-c", "output.save_seconds=1000"}).exit_code, 0);
  Program program({.arguments = {"run", "case.toml", "--out", "broken"}, .folder = folder.path()});
  wait_for(folder / "broken/auto/state.bin");
  program.send(SIGKILL);
  EXPECT_EQ(program.wait().exit_code, -1) << "it was finished first";
  const ProgramResult result = call(folder, {"resume", "broken"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(TempFolder::read(folder / "broken/auto/summary.json"));
  EXPECT_TRUE(summary.contains("decision"));
  expect_same_results(folder / "whole", folder / "broken", {"auto"});
  EXPECT_EQ(call(folder, {"resume", "broken"}).exit_code, 0);
  EXPECT_EQ(json::parse(TempFolder::read(folder / "broken/auto/summary.json")).at("decision"), summary.at("decision"));
}

// Ended by a signal during its second method, which is the only time a checkpoint is written.
void leave_by_signal(const TempFolder& folder) {
  folder.write("case.toml", config(four_methods, 2000, "1000"));
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "whole"}).exit_code, 0);
  Program program({.arguments = {"run", "case.toml", "--out", "left"}, .folder = folder.path()});
  wait_for(folder / "left/dane+/metrics.csv");
  program.send(SIGINT);
  const ProgramResult result = program.wait();
  ASSERT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err, HasSubstr("driftless resume left"));
}

TEST(Resume, AnInterruptedRunContinues) {
  const TempFolder folder;
  leave_by_signal(folder);
  const ProgramResult result = call(folder, {"resume", "left"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("fedred-gd: finished before"));
  EXPECT_THAT(result.err, HasSubstr("dane+: continues after round"));
  EXPECT_THAT(result.out, HasSubstr("results in left"));
  expect_same_results(folder / "whole", folder / "left", labels);

  const ProgramResult again = call(folder, {"resume", "left"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.err, HasSubstr("the run is finished"));
}

TEST(Resume, ADamagedCheckpointIsAnErrorThatNamesItAndCanBeRemoved) {
  const TempFolder folder;
  leave_by_signal(folder);
  const fs::path state = folder / "left/dane+/state.bin";
  std::string bytes = TempFolder::read(state);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  folder.write("left/dane+/state.bin", bytes);
  const ProgramResult damaged = call(folder, {"resume", "left"});
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_THAT(damaged.err, HasSubstr("the checkpoint is damaged"));
  EXPECT_THAT(damaged.err, HasSubstr("dane+/state.bin"));
  fs::remove(state);
  ASSERT_EQ(call(folder, {"resume", "left"}).exit_code, 0);
  expect_same_results(folder / "whole", folder / "left", labels);
}

// Another digit in the column `local_steps` of the third row.
std::string with_changed_digit(std::string csv) {
  std::size_t at = 0;
  for (int line = 0; line < 1; ++line) at = csv.find('\n', at) + 1;
  for (int column = 0; column < 5; ++column) at = csv.find(',', at) + 1;
  csv[at] = csv[at] == '1' ? '2' : '1';
  return csv;
}

TEST(Resume, ChangedMetricsAreAnErrorThatNamesTheFile) {
  const TempFolder folder;
  leave_by_signal(folder);
  for (const std::string label : {"fedred-gd", "dane+"}) {  // finished, and under way
    const std::string file = "left/" + label + "/metrics.csv";
    const std::string csv = TempFolder::read(folder / file);
    folder.write(file, with_changed_digit(csv));
    const ProgramResult changed = call(folder, {"resume", "left"});
    EXPECT_EQ(changed.exit_code, 5) << changed.err;
    EXPECT_THAT(changed.err, HasSubstr(label + "/metrics.csv"));
    EXPECT_THAT(changed.err, HasSubstr("digest"));
    folder.write(file, csv);
  }
  ASSERT_EQ(call(folder, {"resume", "left"}).exit_code, 0);
  expect_same_results(folder / "whole", folder / "left", labels);
}

TEST(Resume, TheResultsOfAnotherVersionAreNotUsed) {
  const TempFolder folder;
  leave_by_signal(folder);
  const fs::path file = folder / "left/fedred-gd/summary.json";
  json summary = json::parse(TempFolder::read(file));
  ASSERT_EQ(summary.erase("metrics_sha256"), 1U);
  folder.write("left/fedred-gd/summary.json", summary.dump());
  const ProgramResult result = call(folder, {"resume", "left"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("fedred-gd/summary.json"));
  EXPECT_THAT(result.err, HasSubstr("another version"));
  fs::remove(file);
  ASSERT_EQ(call(folder, {"resume", "left"}).exit_code, 0);
  expect_same_results(folder / "whole", folder / "left", labels);
}

TEST(Resume, AnotherConfigurationIsRejected) {
  const TempFolder folder;
  leave_by_signal(folder);
  std::string text = TempFolder::read(folder / "left/config.toml");
  const std::size_t at = text.find("rounds = 2000");
  ASSERT_NE(at, std::string::npos);
  folder.write("left/config.toml", text.replace(at, 13, "rounds = 2001"));
  const ProgramResult result = call(folder, {"resume", "left"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("another configuration"));
}

// Earlier versions wrote options into config.toml that these names no longer take.
TEST(Resume, AnOptionOfAnEarlierVersionIsNamedWithItsLine) {
  const TempFolder folder;
  leave_by_signal(folder);
  std::string text = TempFolder::read(folder / "left/config.toml");
  const std::size_t at = text.find("lambda = 5");
  ASSERT_NE(at, std::string::npos);
  folder.write("left/config.toml", text.insert(at, "batch = 32\n"));
  const ProgramResult result = call(folder, {"resume", "left"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("'batch' has no effect on 'fedred-gd'"));
  EXPECT_THAT(result.err, HasSubstr("config.toml:"));
  EXPECT_THAT(result.err, HasSubstr("an earlier version began with it cannot be resumed"));
}

TEST(Resume, TwoProcessesCannotUseTheSameDirectory) {
  const TempFolder folder;
  folder.write("case.toml", config(four_methods, 1000000000, "0"));
  Program program({.arguments = {"run", "case.toml", "--out", "busy"}, .folder = folder.path()});
  wait_for(folder / "busy/fedred-gd/state.bin");
  fs::create_directory(folder / "beside");
  const ProgramResult result = run_program({.arguments = {"resume", "../busy"}, .folder = folder / "beside"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another process uses this run directory"));
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 143);
}

TEST(Resume, MethodsWithTheoremChecksStartAgain) {
  const TempFolder folder;
  folder.write("case.toml", config("[[method]]\nname = \"gd\"\nstep = 0.01\ncertificate = true\n", 400, "0"));
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "whole"}).exit_code, 0);
  Program program({.arguments = {"run", "case.toml", "--out", "broken"}, .folder = folder.path()});
  wait_for(folder / "broken/gd/metrics.csv");
  program.send(SIGKILL);
  program.wait();
  const ProgramResult result = call(folder, {"resume", "broken"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_same_results(folder / "whole", folder / "broken", {"gd"});
  EXPECT_TRUE(fs::exists(folder / "broken/gd/certificate.json"));
}

TEST(Resume, WithoutARunThereIsNothingToResume) {
  const TempFolder folder;
  const ProgramResult result = call(folder, {"resume", "nowhere"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("there is no run to resume"));
}

}  // namespace
}  // namespace driftless
