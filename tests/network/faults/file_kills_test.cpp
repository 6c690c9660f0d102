// A process that is killed at any file-changing call of its run is started again with the same command, and the run
// ends with the bits of the undisturbed one.
#include "tests/cli/same_bits.hpp"
#include "tests/network/tiny_federation.hpp"

#include <csignal>
#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_failures = 10;  // of one test: each may take long

// Syncs change nothing that another process could see.
std::vector<FileCall> without_syncs(std::vector<FileCall> calls) {
  std::erase_if(calls, [](const FileCall& call) { return call.name == "sync"; });
  return calls;
}

class KilledPeer : public testing::TestWithParam<std::string> {};

TEST_P(KilledPeer, AtAnyFileChangingCallContinuesWithTheSameCommand) {
  TinyFederation federation(GetParam());
  const std::vector<FileCall> calls = without_syncs(federation.calls());
  ASSERT_GT(calls.size(), 20U);
  std::size_t failures = 0;
  for (std::size_t k = 0; k < calls.size(); k += tried_step(4)) {
    const FileCall& call = calls[k];
    ASSERT_TRUE(federation.run_until(call.number)) << "hangs before it is " << text_of(call);
    federation.start_victim_again();
    const std::string fault = federation.fault_of_all();
    EXPECT_EQ(fault, "") << text_of(call);
    failures += fault.empty() ? 0 : 1;
    ASSERT_LT(failures, most_failures) << "the rest is left out";
  }
  EXPECT_GT(federation.kills(), calls.size() / tried_step(4) * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Network, KilledPeer, testing::Values("server", "north"),
                         [](const auto& peer) { return peer.param == "server" ? "Server" : "Site"; });

// What a user does after a run was killed.
ProgramResult continued(const TempFolder& folder) {
  ProgramResult result = run_program({.arguments = {"resume", "out"}, .folder = folder.path()});
  if (result.exit_code != 2) return result;
  return run_program({.arguments = {"run", "case.toml", "--out", "out"}, .folder = folder.path()});
}

TEST(KilledRun, AtAnyFileChangingCallIsResumedOrStartedAgain) {
  const TempFolder folder;
  folder.write("case.toml", tiny_config());
  const std::vector<std::string> command{"run", "case.toml", "--out", "out"};
  FileFaults faults{.under = folder / "out", .logs = folder / "logs", .traces = true};
  const ProgramResult whole =
      run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string bits = fingerprint(folder / "out", tiny_label);
  const std::vector<FileCall> calls = without_syncs(read_trace(faults.trace()));
  ASSERT_GT(calls.size(), 20U);
  for (const FileCall& call : calls) {
    fs::remove_all(folder / "out");
    faults.end_before = call.number;
    const ProgramResult killed =
        run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
    EXPECT_EQ(killed.signal, SIGKILL);
    const ProgramResult result = continued(folder);
    EXPECT_EQ(result.exit_code, 0) << text_of(call) << "\n" << result.err;
    EXPECT_TRUE(bits == fingerprint(folder / "out", tiny_label)) << text_of(call);
  }
}

// The index, among the renames, of that of the model.
std::uint64_t rename_of_model(const std::vector<FileCall>& calls) {
  std::uint64_t renames = 0;
  for (const FileCall& call : calls) {
    renames += call.name == "rename" ? 1 : 0;
    if (call.name == "rename" && call.path.filename() == "model.npy") return renames;
  }
  return 0;
}

// The sites have finished while the server has not yet written its results.
TEST(KilledServer, AfterTheSitesHaveFinishedWritesItsResultsWhenStartedAgain) {
  Silos silos(tiny_config(), {"north", "south"}, "grace = 30\n");
  const std::string bits = fingerprint(silos.alone(), tiny_label);
  FileFaults faults{.under = silos.home("server") / "run", .logs = silos.folder() / "logs", .traces = true};
  silos.set_options("server", {"--wait", "30"});
  silos.set_environment("server", faults.environment());
  for (const std::string& who : silos.peers()) silos.launch(who);
  for (const std::string& who : silos.peers()) ASSERT_EQ(silos.wait(who).exit_code, 0) << who;
  faults.delayed_rename = rename_of_model(read_trace(faults.trace()));
  faults.delay_milliseconds = 600'000;
  ASSERT_GT(faults.delayed_rename, 0U);

  silos.forget_run();
  silos.set_environment("server", faults.environment());
  for (const std::string& who : silos.peers()) silos.launch(who);
  for (const std::string& site : silos.sites()) {
    const std::optional<ProgramResult> result = silos.wait_for(site, 60);
    if (!result) GTEST_SKIP() << "the sites wait for the server, so that they cannot finish before it";
    EXPECT_EQ(result->exit_code, 0) << site << "\n" << result->err;
  }
  ASSERT_TRUE(silos.kill("server"));
  silos.set_environment("server", {});
  silos.launch("server");
  const std::optional<ProgramResult> server = silos.wait_for("server", 60);
  ASSERT_TRUE(server.has_value()) << silos.standard_error_of("server");
  EXPECT_EQ(server->exit_code, 0) << server->err;
  for (const std::string& who : silos.peers()) EXPECT_TRUE(bits == fingerprint(silos.results(who), tiny_label)) << who;
}

}  // namespace
}  // namespace driftless
