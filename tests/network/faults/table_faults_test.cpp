// A peer of a run on tables is killed during preparation, cross-validation, fit or evaluation, and started again with
// the same command: the run ends with the bits of one process.
#include "driftless/core/random.hpp"

#include "tests/network/table_silos.hpp"
#include "tests/support/file_faults.hpp"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

namespace driftless {
namespace {

const TablePipeline pipeline{.name = "all",
                             .problem = "family = \"multinomial\"\nl2 = \"cv\"\nfolds = 2\npath_length = 3\n"
                                        "test = 0.25\nmin_count = 4\nmin_rows = 5\n"};

constexpr double patience = 60;

class KilledTablePeer : public testing::TestWithParam<std::string> {};

// Calls that change files: at the server each total of an exchange is one, whatever the exchange belongs to.
TEST_P(KilledTablePeer, BeforeAnyFileChangesContinuesWithTheSameCommand) {
  const std::string victim = GetParam();
  TableSilos tables(pipeline, 40, "grace = 20\n");
  Silos& silos = tables.silos();
  const std::string bits = tables.bits_alone();
  FileFaults faults{.under = silos.home(victim) / "run", .logs = silos.folder() / "logs", .traces = true};
  const auto start_with = [&](const FileFaults& of_victim) {
    silos.forget_run();
    silos.set_environment(victim, of_victim.environment());
    for (const std::string& who : silos.peers()) silos.launch(who);
  };
  start_with(faults);
  ASSERT_EQ(tables.fault(bits), "");
  const std::vector<FileCall> calls = read_trace(faults.trace());
  ASSERT_GT(calls.size(), 20U);
  faults.traces = false;
  std::size_t kills = 0;
  constexpr std::size_t tried = 8;
  for (std::size_t k = 1; k <= tried; ++k) {
    faults.end_before = calls[k * (calls.size() - 1) / tried].number;
    start_with(faults);
    const std::optional<ProgramResult> ended = silos.wait_for(victim, patience);
    ASSERT_TRUE(ended.has_value()) << "hangs before call " << faults.end_before;
    kills += ended->signal == SIGKILL ? 1 : 0;
    silos.set_environment(victim, {});
    silos.launch(victim);
    ASSERT_EQ(tables.fault(bits), "") << "killed before call " << faults.end_before;
  }
  EXPECT_GE(kills, tried / 2);
}

INSTANTIATE_TEST_SUITE_P(Network, KilledTablePeer, testing::Values("server", "north"),
                         [](const auto& peer) { return peer.param == "server" ? "Server" : "Site"; });

TEST(TableFaults, ARunInOneProcessThatIsKilledBeforeAnyFileChangesIsResumedOrStartedAgain) {
  TableSilos tables(pipeline, 40);
  const std::string bits = tables.bits_alone();
  const auto& folder = tables.silos().folder();
  FileFaults faults{.under = folder / "out", .logs = folder / "logs", .traces = true};
  const auto run = [&](const std::vector<std::string>& arguments, const FileFaults* with) {
    Call call{.arguments = arguments, .folder = folder.path()};
    if (with != nullptr) call.environment = with->environment();
    return run_program(call);
  };
  const std::vector<std::string> command{"run", "together.toml", "--out", "out", "-c", "output.save_seconds=0"};
  ASSERT_EQ(run(command, &faults).exit_code, 0);
  const std::vector<FileCall> calls = read_trace(faults.trace());
  ASSERT_GT(calls.size(), 15U);
  for (const FileCall& call : calls) {
    if (call.name == "sync") continue;  // changes nothing that another process could see
    std::filesystem::remove_all(folder / "out");
    faults.end_before = call.number;
    EXPECT_EQ(run(command, &faults).signal, SIGKILL);
    const bool begun = std::filesystem::exists(folder / "out/config.toml");
    const ProgramResult result = run(begun ? std::vector<std::string>{"resume", "out"} : command, nullptr);
    ASSERT_EQ(result.exit_code, 0) << call.number << " " << call.name << " " << call.path << "\n" << result.err;
    EXPECT_TRUE(table_files(folder / "out", "auto") == bits) << call.number << " " << call.name << " " << call.path;
  }
}

// A longer cross-validation, so that it is under way for a while.
TEST(TableFaults, PeersThatAreKilledAtRandomMomentsContinue) {
  TablePipeline longer = pipeline;
  longer.problem = "family = \"multinomial\"\nl2 = \"cv\"\nfolds = 10\npath_length = 25\ntest = 0.25\nmin_rows = 5\n";
  TableSilos tables(longer, 60, "grace = 30\n");
  Silos& silos = tables.silos();
  const std::string bits = tables.bits_alone();
  Stream chance(7, Purpose::generator);
  std::size_t kills = 0;
  silos.start_all();
  for (const char* who : {"north", "server", "west", "server", "south"}) {
    silos.prints(who, "cross-validation:", 20.0);  // where it is in time: otherwise any later moment will do
    std::this_thread::sleep_for(std::chrono::milliseconds(chance.index(150)));
    if (!silos.still_runs(who)) break;
    kills += silos.kill(who) ? 1 : 0;
    silos.launch(who);
  }
  EXPECT_GE(kills, 3U) << "the run is too short for this test";
  EXPECT_EQ(tables.fault(bits), "");
}

TEST(TableFaults, ARunThatIsInterruptedDuringTheCrossValidationContinues) {
  TablePipeline longer = pipeline;
  longer.problem = "family = \"multinomial\"\nl2 = \"cv\"\nfolds = 20\npath_length = 50\ntest = 0.25\n";
  TableSilos tables(longer, 60);
  Silos& silos = tables.silos();
  const std::string bits = tables.bits_alone();
  silos.start_all();
  ASSERT_TRUE(silos.prints("server", "cross-validation:"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  silos.interrupt("server");
  for (const std::string& who : silos.peers()) {
    const std::optional<ProgramResult> result = silos.wait_for(who, patience);
    ASSERT_TRUE(result.has_value()) << who << " hangs\n" << silos.standard_error_of(who);
    EXPECT_EQ(result->exit_code, 130) << who << "\n" << result->err;
  }
  silos.start_all();
  EXPECT_EQ(tables.fault(bits), "");
}

}  // namespace
}  // namespace driftless
