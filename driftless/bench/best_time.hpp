// The shortest of many runs: whatever else a machine does can only lengthen one.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <vector>

namespace driftless {

struct Effort {
  double seconds = 0.3;     // of measuring, at least
  std::size_t repeats = 5;  // at least
};

using Work = std::function<void()>;

// The best times of several pieces of work, run in turns so that they share the machine's moods, and a few times in
// each turn, so that they find the caches as they left them.
inline std::vector<double> best_times(const std::vector<Work>& works, const Effort& effort) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<double> best(works.size(), std::numeric_limits<double>::infinity());
  const double wanted = effort.seconds * static_cast<double>(works.size());
  const auto start = Clock::now();
  for (std::size_t repeat = 0; repeat < effort.repeats || since(start) < wanted; ++repeat)
    for (std::size_t k = 0; k < works.size(); ++k)
      for (int again = 0; again < 10; ++again) {
        const auto begin = Clock::now();
        works[k]();
        best[k] = std::min(best[k], since(begin));
        if (best[k] > effort.seconds) break;
      }
  return best;
}

inline double best_time(const Work& work, const Effort& effort) { return best_times({work}, effort).front(); }

}  // namespace driftless
