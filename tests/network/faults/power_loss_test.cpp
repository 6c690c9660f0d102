// A machine that loses its power at any moment keeps what was synced, and that is enough: started again with the same
// command, the run ends with the bits of the undisturbed one. power_loss.hpp describes the model.
#include "tests/support/power_loss.hpp"

#include "tests/cli/same_bits.hpp"
#include "tests/network/tiny_federation.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

namespace fs = std::filesystem;

std::size_t step() { return tried_step(9); }

using Case = std::tuple<std::string, Names>;

std::string case_name(const testing::TestParamInfo<Case>& tested) {
  const auto& [victim, names] = tested.param;
  return (victim == "server" ? std::string("Server") : "Site") + (names == Names::lost ? "NamesLost" : "NamesKept");
}

class PowerLoss : public testing::TestWithParam<Case> {};

TEST_P(PowerLoss, AtAnyFileCallOfAPeerLosesNothingOfTheRun) {
  const auto& [victim, names] = GetParam();
  TinyFederation federation(victim);
  const std::vector<FileCall> calls = federation.calls();
  ASSERT_GT(calls.size(), 20U);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < calls.size(); i += step()) {
    ASSERT_TRUE(federation.run_until(calls[i].number, true)) << "hangs before it is " << text_of(calls[i]);
    lose_power(federation.faults(), names);
    federation.start_victim_again();
    const std::string fault = federation.fault_of_all();
    EXPECT_EQ(fault, "") << text_of(calls[i]);
    failures += fault.empty() ? 0 : 1;
    ASSERT_LT(failures, 5U) << "the rest is left out";
  }
}

INSTANTIATE_TEST_SUITE_P(Network, PowerLoss,
                         testing::Combine(testing::Values("server", "north"),
                                          testing::Values(Names::lost, Names::kept)),
                         case_name);

class PowerLossOfARun : public testing::TestWithParam<Names> {};

TEST_P(PowerLossOfARun, AtAnyFileCallIsResumedOrStartedAgain) {
  const TempFolder folder;
  folder.write("case.toml", tiny_config());
  const std::vector<std::string> command{"run", "case.toml", "--out", "out"};
  FileFaults faults{.under = folder / "out", .logs = folder / "logs", .traces = true};
  const ProgramResult whole =
      run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const std::string bits = fingerprint(folder / "out", tiny_label);
  const std::vector<FileCall> calls = read_trace(faults.trace());
  ASSERT_GT(calls.size(), 20U);
  faults.traces = false;
  faults.records_syncs = true;
  for (const FileCall& call : calls) {
    fs::remove_all(folder / "out");
    fs::remove_all(folder / "logs");
    faults.end_before = call.number;
    run_program({.arguments = command, .folder = folder.path(), .environment = faults.environment()});
    lose_power(faults, GetParam());
    ProgramResult result = run_program({.arguments = {"resume", "out"}, .folder = folder.path()});
    if (result.exit_code == 2) result = run_program({.arguments = command, .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << text_of(call) << "\n" << result.err;
    EXPECT_TRUE(bits == fingerprint(folder / "out", tiny_label)) << text_of(call);
    ASSERT_FALSE(HasFailure()) << "the rest is left out";
  }
}

INSTANTIATE_TEST_SUITE_P(Local, PowerLossOfARun, testing::Values(Names::lost, Names::kept),
                         [](const auto& tested) { return tested.param == Names::lost ? "NamesLost" : "NamesKept"; });

}  // namespace
}  // namespace driftless
