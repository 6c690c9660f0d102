// The run of one method on the disk: state.bin in the method's folder, together with the rows that metrics.csv holds.
#pragma once

#include "driftless/optimize/driver.hpp"
#include "driftless/results/metrics_file.hpp"
#include "driftless/checkpoints/state_file.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

namespace driftless {

// What the rounds to come depend on, as the bytes of a file. `metrics_digest` is that of the rows until now.
std::string state_bytes(RunState& state, const StateOwner& owner, const std::string& metrics_digest);

// Writes checkpoints between rounds.
class RunSaver {
 public:
  // At most once in so many seconds; 0: after every round.
  // `before_first` brings to the disk what a checkpoint relies on besides the metrics.
  RunSaver(const std::filesystem::path& folder, StateOwner owner, double seconds, const MetricsFile& metrics,
           std::function<void()> before_first = {});

  void checkpoint(RunState& state, bool interrupted);  // where it is due, and always where the run is interrupted

 private:
  using Clock = std::chrono::steady_clock;

  std::filesystem::path file_;
  StateOwner owner_;
  std::chrono::duration<double> pause_;
  const MetricsFile& metrics_;
  std::function<void()> before_first_;
  Clock::time_point saved_ = Clock::now();
};

// A run that was saved.
class SavedRun {
 public:
  static bool exists(const std::filesystem::path& folder);
  // Once the method is finished and what it left is on the disk. Nothing where no state is.
  static void remove(const std::filesystem::path& folder);

  // DataError where the file, or the metrics beside it, are not what was saved for this owner.
  SavedRun(const std::filesystem::path& folder, const StateOwner& owner);

  const std::vector<TraceRow>& rows() const { return rows_; }  // until it was saved
  void restore(RunState& state);                               // once

 private:
  StateReader state_;
  std::vector<TraceRow> rows_;
};

}  // namespace driftless
