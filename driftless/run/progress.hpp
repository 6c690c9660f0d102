// The line that shows how far a method is. Only on a terminal, and not with NO_COLOR.
#pragma once

#include "driftless/run/stop.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace driftless {

bool progress_wanted();  // standard error is a terminal and NO_COLOR is not set

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

// The same for a number of equal things.
class CountProgress {
 public:
  CountProgress(bool enabled, std::string things, std::size_t total);
  ~CountProgress() { clear(); }
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  void add();  // one more is done
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  std::string things_;
  std::size_t total_;
  std::size_t done_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_;
};

// The same for work that has stages in place of rounds.
class StageLine {
 public:
  explicit StageLine(bool enabled) : enabled_(enabled) {}
  ~StageLine() { clear(); }
  StageLine(const StageLine&) = delete;
  StageLine& operator=(const StageLine&) = delete;

  void show(const std::string& stage);
  void clear();

 private:
  bool enabled_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// How much of the way to the nearest stop condition is done, 0 … 1; counts in proportion, accuracies on a logarithmic
// scale.
double done_part(const StopConditions& stop, const TraceRow& first, const TraceRow& now);

}  // namespace driftless
