// Progress lines. Only on a terminal, and no wider than it.
#pragma once

#include <chrono>
#include <string>

namespace driftless {

bool progress_wanted();  // standard error is a terminal

// Progress of a known number of equal items. Where there is no terminal it is a message every ten seconds.
class CountProgress {
 public:
  CountProgress(bool enabled, std::string things, std::size_t total);
  ~CountProgress() { clear(); }
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  void add();  // one more item is complete
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  std::string things_;
  std::size_t total_;
  std::size_t done_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = begin_;
};

// Progress of a computation with stages instead of rounds.
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

namespace detail {

std::string time_text(double seconds);  // "12 s", "3:04 min"
void clear_line(bool& visible);

}  // namespace detail

}  // namespace driftless
