// The checkpoint of one method: state.bin in its folder, together with the rows of metrics.csv.
#pragma once

#include "driftless/checkpoints/state_file.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/results/metrics_file.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

namespace driftless {

// The state of a run as the bytes of a checkpoint. `metrics_digest` is that of the rows so far.
std::string state_bytes(RunState& state, const StateOwner& owner, const std::string& metrics_digest);

// Writes checkpoints between rounds.
class RunSaver {
 public:
  // At most once in so many seconds; 0: after every round. `before_first` writes to the disk the other files that a
  // checkpoint relies on.
  RunSaver(const std::filesystem::path& folder, StateOwner owner, double seconds, const MetricsFile& metrics,
           std::function<void()> before_first = {});

  void checkpoint(RunState& state, bool interrupted);  // if it is due; always where the run is interrupted

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  StateOwner owner_;
  std::chrono::duration<double> pause_;
  const MetricsFile& metrics_;
  std::function<void()> before_first_;
  Clock::time_point saved_ = Clock::now();
};

// A checkpoint on the disk.
class SavedRun {
 public:
  static bool exists(const std::filesystem::path& folder);
  // Called once the method is finished and its results are on the disk. Does nothing where there is no checkpoint.
  static void remove(const std::filesystem::path& folder);

  // DataError where the file, or the metrics beside it, do not belong to this owner.
  SavedRun(const std::filesystem::path& folder, const StateOwner& owner);

  const std::vector<TraceRow>& rows() const { return rows_; }  // up to the checkpoint
  void restore(RunState& state);                               // once

 private:
  StateReader state_;
  std::vector<TraceRow> rows_;
};

}  // namespace driftless
