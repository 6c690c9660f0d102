// A run that was killed before it began: the same command, or `resume`, works in the folder that it left.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ProgramResult call(const TempFolder& folder, std::vector<std::string> arguments) {
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

// A directory as a killed process leaves it: some of the files of a complete run, by name, and drafts.
class KilledRun : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("case.toml", quadratic);
    ASSERT_EQ(call(folder_, {"run", "case.toml", "--out", "whole"}).exit_code, 0);
  }

  void leave(const std::vector<std::string>& files) const {
    fs::remove_all(folder_ / "out");
    fs::create_directory(folder_ / "out");
    for (const std::string& file : files)
      if (file.ends_with('/')) fs::create_directory(folder_ / ("out/" + file));
      else if (fs::exists(folder_ / ("whole/" + file)))
        folder_.write("out/" + file, TempFolder::read(folder_ / ("whole/" + file)));
      else folder_.write("out/" + file, "half a fi");
  }

  void expect_whole() const {
    EXPECT_EQ(without_column(read_csv(folder_ / "out/fedred-gd/metrics.csv"), "wall_s"),
              without_column(read_csv(folder_ / "whole/fedred-gd/metrics.csv"), "wall_s"));
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "out"))
      EXPECT_EQ(entry.path().string().find(".part-"), std::string::npos) << entry.path();
  }

  TempFolder folder_;
};

TEST_F(KilledRun, TheSameCommandWorksBeforeTheRunHasBegun) {
  const std::vector<std::vector<std::string>> states{
      {},
      {"config.toml.part-4711"},
      {"config.toml.part-4711", "config.toml.part-4712"},
      {"config.toml"},
      {"config.toml", "config.toml.part-4711"},
      {"config.toml", "constants.json.part-4711"},
      {"config.toml", "split.json.part-4711"},
      {"config.toml", "run.json.part-4711"},
      {"config.toml", "fedred-gd/"},
      {"fedred-gd/"},
  };
  for (const auto& state : states) {
    SCOPED_TRACE(testing::PrintToString(state));
    leave(state);
    const ProgramResult result = call(folder_, {"run", "case.toml", "--out", "out"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_whole();
  }
}

TEST_F(KilledRun, ResumeWorksAsSoonAsThereIsAConfiguration) {
  const std::vector<std::vector<std::string>> states{
      {"config.toml"},
      {"config.toml", "constants.json.part-4711"},
      {"config.toml", "config.toml.part-4711", "run.json.part-4711"},
      {"config.toml", "run.json"},
      {"config.toml", "run.json", "fedred-gd/"},
      {"config.toml", "run.json", "fedred-gd/metrics.csv"},
      {"config.toml", "run.json", "fedred-gd/metrics.csv", "fedred-gd/metrics.jsonl", "fedred-gd/state.bin.part-4711"},
      {"config.toml", "run.json", "fedred-gd/metrics.csv", "fedred-gd/metrics.jsonl", "fedred-gd/model.npy.part-4711"},
      {"config.toml", "run.json", "fedred-gd/metrics.csv", "fedred-gd/metrics.jsonl", "fedred-gd/model.npy",
       "fedred-gd/summary.json.part-4711"},
  };
  for (const auto& state : states) {
    SCOPED_TRACE(testing::PrintToString(state));
    leave(state);
    const ProgramResult result = call(folder_, {"resume", "out"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    expect_whole();
  }
}

TEST_F(KilledRun, ADirectoryWithARunOrFilesOfOthersIsRejected) {
  const std::vector<std::vector<std::string>> states{
      {"config.toml", "run.json"},
      {"config.toml", "fedred-gd/", "fedred-gd/notes.txt"},
      {"thesis.part-1"},
      {"config.toml.part-one"},
      {"config.toml.part-4711", "notes.txt"},
  };
  for (const auto& state : states) {
    SCOPED_TRACE(testing::PrintToString(state));
    leave(state);
    const ProgramResult result = call(folder_, {"run", "case.toml", "--out", "out"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("is not empty"));
    for (const std::string& file : state) EXPECT_TRUE(fs::exists(folder_ / ("out/" + file))) << file;
  }
}

TEST_F(KilledRun, AnotherConfigurationIsRejectedAndResumeIsNamed) {
  leave({"config.toml"});
  const ProgramResult result = call(folder_, {"run", "case.toml", "--out", "out", "-c", "seed=99"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("is not empty"));
  EXPECT_THAT(result.err, HasSubstr("driftless resume"));
  EXPECT_EQ(TempFolder::read(folder_ / "out/config.toml"), TempFolder::read(folder_ / "whole/config.toml"));
}

TEST_F(KilledRun, ARunThatFailsKeepsAConfigurationThatWasThere) {
  folder_.write("case.toml", logistic);
  folder_.write("data.svm", rows);
  fs::remove_all(folder_ / "whole");
  ASSERT_EQ(call(folder_, {"run", "case.toml", "--out", "whole"}).exit_code, 0);
  leave({"config.toml"});
  folder_.write("data.svm", "no row\n");
  const ProgramResult result = call(folder_, {"run", "case.toml", "--out", "out"});
  EXPECT_EQ(result.exit_code, data_fault) << result.err;
  EXPECT_TRUE(fs::exists(folder_ / "out/config.toml"));
}

TEST_F(KilledRun, ASearchStartsAgainToo) {
  folder_.write("case.toml", edit(quadratic, "lambda = 5\n", "") + "[tune]\nbudget = { rounds = 2 }\n");
  folder_.write("case.toml", edit(TempFolder::read(folder_ / "case.toml"), "[stop]\nrounds = 2\n",
                                  "[method.search]\nlambda = [1, 2]\n"));
  leave({"config.toml.part-4711"});
  const ProgramResult result = call(folder_, {"tune", "case.toml", "--out", "out"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(fs::exists(folder_ / "out/config.toml.part-4711"));
}

}  // namespace
}  // namespace driftless
