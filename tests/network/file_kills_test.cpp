// A process that is killed at any file-changing call of its run is started again with the same command, and the run ends
// with the bits of the undisturbed one. Runs are so short that their start and their end are most of them.
#include "tests/cli/same_bits.hpp"
#include "tests/network/silos.hpp"
#include "tests/support/file_faults.hpp"

#include <csignal>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 60;  // seconds until a process counts as hung

const std::string tiny = R"(
seed = 5
[problem]
kind = "quadratic"
dim = 20
samples = 2
[federation]
clients = 2
threads = 1
[[method]]
name = "scaffold"
step = 0.01
local_steps = 2
[stop]
rounds = 2
[output]
save_seconds = 0
)";
constexpr const char* label = "scaffold";

// Syncs change nothing that another process could see, and a call that only repeats the one before gives no new case.
std::vector<FileCall> changes(const fs::path& trace) {
  std::vector<FileCall> calls = read_trace(trace);
  std::erase_if(calls, [](const FileCall& call) { return call.name == "sync"; });
  return calls;
}

class KilledPeer : public testing::TestWithParam<std::string> {
 protected:
  FileFaults faults() const {
    return {.under = silos_.home(GetParam()) / "run", .logs = silos_.folder() / "logs", .traces = true};
  }

  std::vector<FileCall> undisturbed_calls() {
    silos_.set_environment(GetParam(), faults().environment());
    for (const std::string& who : silos_.peers()) silos_.launch(who);
    for (const std::string& who : silos_.peers()) expect_end(who, "undisturbed");
    return changes(faults().trace());
  }

  // True where the process was there to be killed.
  bool end_at(const FileCall& call) {
    FileFaults ending = faults();
    ending.end_before = call.number;
    silos_.forget_run();
    silos_.set_environment(GetParam(), ending.environment());
    for (const std::string& who : silos_.peers()) silos_.launch(who);
    const std::optional<Said> ended = silos_.wait_for(GetParam(), patience);
    if (!ended) ADD_FAILURE() << "hung before " << call.name << " " << call.path;
    silos_.set_environment(GetParam(), {});
    silos_.launch(GetParam());
    return ended && ended->signal == SIGKILL;
  }

  void expect_end(const std::string& who, const std::string& when) {
    const std::optional<Said> said = silos_.wait_for(who, patience);
    ASSERT_TRUE(said.has_value()) << who << " hangs, " << when << "\n" << silos_.said_so_far(who);
    ASSERT_EQ(said->exit_code, 0) << who << ", " << when << "\n" << said->err;
    EXPECT_EQ(bits_, fingerprint(silos_.results(who), label)) << who << ", " << when;
  }

  Silos silos_{tiny, {"north", "south"}, "grace = 30\n"};
  const std::string bits_ = fingerprint(silos_.alone(), label);
};

TEST_P(KilledPeer, AtAnyFileChangingCallContinuesWithTheSameCommand) {
  silos_.set_options("server", {"--wait", "30"});
  const std::vector<FileCall> calls = undisturbed_calls();
  ASSERT_GT(calls.size(), 20U);
  std::size_t kills = 0;
  std::size_t failures = 0;
  for (const FileCall& call : calls) {
    kills += end_at(call) ? 1 : 0;
    const std::string when = GetParam() + " killed before call " + std::to_string(call.number) + ", " + call.name +
                             " of " + call.path.string();
    for (const std::string& who : silos_.peers()) expect_end(who, when);
    failures += HasFailure() ? 1 : 0;
    ASSERT_LT(failures, 3U) << "the rest is left out";
  }
  EXPECT_GT(kills, calls.size() * 9 / 10);
  RecordProperty("kills", static_cast<int>(kills));
}

INSTANTIATE_TEST_SUITE_P(Network, KilledPeer, testing::Values("server", "north"),
                         [](const auto& peer) { return peer.param == "server" ? "Server" : "Site"; });

// What a user does who sees that a run was killed.
Said continued(const TempFolder& folder) {
  Said said = run_program({.arguments = {"resume", "out"}, .folder = folder.path()});
  if (said.exit_code != 2) return said;
  return run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
}

TEST(KilledRun, AtAnyFileChangingCallIsResumedOrStartedAgain) {
  const TempFolder folder;
  folder.write("case.toml", tiny);
  const std::vector<std::string> command{"run", "case.toml", "--out", "out"};
  FileFaults faults{.under = folder / "out", .logs = folder / "logs", .traces = true};
  const Said whole =
      run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string bits = fingerprint(folder / "out", label);
  const std::vector<FileCall> calls = changes(faults.trace());
  ASSERT_GT(calls.size(), 20U);
  for (const FileCall& call : calls) {
    fs::remove_all(folder / "out");
    faults.end_before = call.number;
    const Said killed =
        run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
    EXPECT_EQ(killed.signal, SIGKILL);
    const Said said = continued(folder);
    const std::string when = "killed before call " + std::to_string(call.number) + ", " + call.name + " of " +
                             call.path.string() + "\n" + said.err;
    EXPECT_EQ(said.exit_code, 0) << when;
    EXPECT_EQ(bits, fingerprint(folder / "out", label)) << when;
  }
}

}  // namespace
}  // namespace driftless
