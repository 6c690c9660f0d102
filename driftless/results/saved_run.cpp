#include "driftless/results/saved_run.hpp"

#include "driftless/checkpoints/run_state.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"

#include <utility>

namespace driftless {
namespace {

namespace fs = std::filesystem;

constexpr const char* state_name = "state.bin";

// The number of rows of the metrics, the round of the last one, and the digest of metrics.csv up to it.
struct RowsMark {
  std::uint64_t count = 0;
  std::uint64_t last_round = 0;
  std::string digest;

  template <class Archive>
  void visit(Archive& archive) {
    archive.section("metrics");
    archive.count("rows", count);
    archive.count("last_round", last_round);
    archive.text("sha256", digest);
  }
};

}  // namespace

std::string state_bytes(RunState& state, const StateOwner& owner, const std::string& metrics_digest) {
  StateWriter writer(owner);
  const std::vector<TraceRow>& rows = state.trace.rows();
  RowsMark{.count = rows.size(), .last_round = rows.back().round, .digest = metrics_digest}.visit(writer);
  write_run(writer, state);
  return writer.finish();
}

RunSaver::RunSaver(const fs::path& folder, StateOwner owner, double seconds, const MetricsFile& metrics,
                   std::function<void()> before_first)
    : file_(folder / state_name),
      owner_(std::move(owner)),
      pause_(seconds),
      metrics_(metrics),
      before_first_(std::move(before_first)) {}

void RunSaver::checkpoint(RunState& state, bool interrupted) {
  if (!interrupted && Clock::now() - saved_ < pause_) return;
  Checkpointing* const shared = state.fed.transport().checkpointing();
  if (shared != nullptr && !shared->secure_past(false)) return;
  if (before_first_) std::exchange(before_first_, {})();
  metrics_.sync();  // a checkpoint is useless without its rows
  write_output_file(file_, state_bytes(state, owner_, metrics_.digest()), Durability::synced);
  if (shared != nullptr) shared->on_checkpoint();
  saved_ = Clock::now();
}

bool SavedRun::exists(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / state_name, ignored);
}

void SavedRun::remove(const fs::path& folder) {
  if (!exists(folder)) return;
  std::error_code error;
  fs::remove(folder / state_name, error);
  if (error)
    throw DataError({.what = "the checkpoint of a finished method cannot be removed",
                     .seen = (folder / state_name).string() + ": " + error.message(),
                     .advice = "make sure that its folder can be written to"});
}

SavedRun::SavedRun(const fs::path& folder, const StateOwner& owner)
    : state_(read_input_file(folder / state_name), (folder / state_name).string(), owner),
      rows_(read_metrics(folder / "metrics.csv")) {
  RowsMark mark;
  mark.visit(state_);
  if (mark.count == 0 || rows_.size() < mark.count || rows_[mark.count - 1].round != mark.last_round)
    state_.reject("the metrics do not belong to the checkpoint",
                  std::to_string(mark.count) + " rows up to round " + std::to_string(mark.last_round) +
                      " are missing in " + (folder / "metrics.csv").string());
  if (digest_of_metrics(folder / "metrics.csv", mark.count) != mark.digest)
    state_.reject("the metrics do not match the checkpoint", "the digest of the first " + std::to_string(mark.count) +
                                                                 " rows of " + (folder / "metrics.csv").string() +
                                                                 " does not match");
  rows_.resize(mark.count);
}

void SavedRun::restore(RunState& state) {
  read_run(state_, state);
  state.trace.restore(std::move(rows_));
}

}  // namespace driftless
