// A run on tables that is killed or interrupted while it prepares or cross-validates is completed by `resume` with the
// bytes of an undisturbed run.
#include "driftless/core/random.hpp"

#include "tests/cli/hospitals.hpp"
#include "tests/cli/tables/table_files.hpp"

#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <thread>

namespace driftless {
namespace {

class TableResume : public testing::Test {
 protected:
  // A cross-validation of some seconds, so that there is time for a signal.
  TableResume() {
    copy_hospitals(folder_);
    folder_.write("case.toml",
                  TempFolder::read(folder_ / "examples/hospitals/readmission.toml") + "\n[output]\nsave_seconds = 0\n");
    EXPECT_EQ(run_program({.arguments = run_into("whole"), .folder = folder_.path()}).exit_code, 0);
    bits_ = table_files(folder_ / "whole", "auto");
    EXPECT_GT(bits_.size(), 5000U);
  }

  static std::vector<std::string> run_into(const std::string& out) {
    return {"run",   "case.toml",
            "--out", out,
            "-c",    "problem.l2=cv",
            "-c",    "problem.folds=10",
            "-c",    "problem.path_length=200"};
  }

  // Sends the signal so many milliseconds after the run directory exists. False where the run had ended before. On a
  // busy machine a program that resumes may not yet listen to signals then: it ends, has changed nothing, and is
  // started again.
  bool end_by(int signal, const std::vector<std::string>& arguments, std::size_t milliseconds, int exit_code) {
    for (;; milliseconds *= 2) {
      const ProgramResult result = ended_by(signal, arguments, milliseconds);
      if (result.signal == signal && signal != SIGKILL) continue;
      EXPECT_TRUE(result.exit_code == exit_code || result.exit_code == 0) << result.exit_code;
      return result.exit_code != 0;
    }
  }
  ProgramResult ended_by(int signal, const std::vector<std::string>& arguments, std::size_t milliseconds) const {
    Program program({.arguments = arguments, .folder = folder_.path()});
    for (int attempt = 0; attempt < 2000 && !std::filesystem::exists(folder_ / "left/config.toml"); ++attempt)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    program.send(signal);
    return program.wait();
  }

  ProgramResult resume() { return run_program({.arguments = {"resume", "left"}, .folder = folder_.path()}); }

  const TempFolder folder_;
  std::string bits_;
};

TEST_F(TableResume, KilledAtRandomMomentsTheRunEndsWithTheSameFiles) {
  Stream moments(1, Purpose::generator);
  std::vector<std::string> arguments = run_into("left");
  std::size_t killed = 0;
  for (; killed < 4; ++killed, arguments = {"resume", "left"})
    if (!end_by(SIGKILL, arguments, moments.index(400), -1)) break;
  EXPECT_GE(killed, 1U);
  const ProgramResult result = resume();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(bits_ == table_files(folder_ / "left", "auto"));
}

TEST_F(TableResume, InterruptedInTheCrossValidationTheRunContinues) {
  ASSERT_TRUE(end_by(SIGINT, run_into("left"), 50, 130));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "left/auto/model.json"));
  ASSERT_TRUE(end_by(SIGTERM, {"resume", "left"}, 50, 143)) << "again";
  const ProgramResult result = resume();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(bits_ == table_files(folder_ / "left", "auto"));
}

}  // namespace
}  // namespace driftless
