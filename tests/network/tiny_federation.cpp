#include "tests/network/tiny_federation.hpp"

#include "tests/cli/same_bits.hpp"

#include <csignal>
#include <cstdlib>

namespace driftless {
namespace {

constexpr double patience = 60;  // seconds until a process counts as hung

}  // namespace

std::string tiny_config() {
  return R"(
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
}

std::size_t tried_step(std::size_t usual) { return std::getenv("DRIFTLESS_TEST_ALL_CALLS") != nullptr ? 1 : usual; }

std::string text_of(const FileCall& call) {
  return "killed before call " + std::to_string(call.number) + ", " + call.name + " of " + call.path.string();
}

TinyFederation::TinyFederation(std::string victim)
    : victim_(std::move(victim)),
      // A server that was killed at its end waits that long for sites whose end it has not recorded.
      silos_(tiny_config(), {"north", "south"}, victim_ == "server" ? "grace = 3\n" : "grace = 30\n"),
      bits_(fingerprint(silos_.alone(), tiny_label)) {
  silos_.set_options("server", {"--wait", "30"});
}

FileFaults TinyFederation::faults() const {
  return {.under = silos_.home(victim_) / "run", .logs = silos_.folder() / "logs"};
}

void TinyFederation::start_all(const FileFaults& of_victim) {
  silos_.forget_run();
  std::filesystem::remove_all(of_victim.logs);
  silos_.set_environment(victim_, of_victim.environment());
  for (const std::string& who : silos_.peers()) silos_.launch(who);
}

std::vector<FileCall> TinyFederation::calls() {
  FileFaults tracing = faults();
  tracing.traces = true;
  start_all(tracing);
  const std::string fault = fault_of_all();
  EXPECT_EQ(fault, "");
  return fault.empty() ? read_trace(tracing.trace()) : std::vector<FileCall>();
}

bool TinyFederation::run_until(std::uint64_t call, bool records_syncs) {
  FileFaults ending = faults();
  ending.end_before = call;
  ending.records_syncs = records_syncs;
  start_all(ending);
  const std::optional<ProgramResult> ended = silos_.wait_for(victim_, patience);
  kills_ += ended && ended->signal == SIGKILL ? 1 : 0;
  return ended.has_value();
}

void TinyFederation::start_victim_again() {
  silos_.set_environment(victim_, {});
  silos_.launch(victim_);
}

std::string TinyFederation::fault_of(const std::string& who) {
  const std::optional<ProgramResult> result = silos_.wait_for(who, patience);
  if (!result) return who + " hangs\n" + silos_.standard_error_of(who);
  if (result->exit_code != 0)
    return who + " ended with exit code " + std::to_string(result->exit_code) + "\n" + result->err;
  return bits_ == fingerprint(silos_.results(who), tiny_label) ? "" : who + " has other bits";
}

// The victim first: without it the others would wait in vain.
std::string TinyFederation::fault_of_all() {
  std::string fault = fault_of(victim_);
  for (const std::string& who : silos_.peers())
    if (fault.empty() && who != victim_) fault = fault_of(who);
  return fault;
}

}  // namespace driftless
