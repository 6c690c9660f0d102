// The progress line of a method.
#pragma once

#include "driftless/console/progress.hpp"
#include "driftless/optimize/stop.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace driftless {

class Progress {
 public:
  Progress(bool enabled, std::string label, const StopConditions& stop);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void measured(const TraceRow& row);  // a row with f and its gradient
  void show(const TraceRow& row);      // counts after a round; at most a few times a second
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  std::string label_;
  StopConditions stop_;
  std::optional<TraceRow> first_;  // measured rows
  TraceRow last_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_;
};

// Progress towards the nearest stop condition, 0 … 1: linear in counts, logarithmic in accuracies.
double done_part(const StopConditions& stop, const TraceRow& first, const TraceRow& now);

}  // namespace driftless
