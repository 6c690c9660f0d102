// The best setting of every method: from a small grid, then by moving one option at a time, so that no winner sits at
// the edge of a grid only because the grid ended there. Every method may try the same number of settings.
#pragma once

#include "driftless/tuning/tuning.hpp"

namespace driftless {

struct BestSetting {
  TrialResult trial;
  std::size_t tried = 0;  // settings of this method
  bool settled = false;   // halving or doubling any one option gives nothing much better
};

struct SettingSearch {
  std::vector<BestSetting> best;    // one per method of the configuration
  std::vector<TrialResult> trials;  // all, in the order of their numbers
  StopConditions goal;              // what the hardest target is on this problem
  bool interrupted = false;         // then `best` is empty
};

// First the grid of `start`. Then one option of every method at a time is divided and multiplied by 4, with the others
// as in the method's best setting, until no option gives a better one; then the same by 2. A method that would try more
// than `most` settings ends unsettled. Values that a method rejects are passed over. The options left open have to be
// lists of numbers.
SettingSearch search_settings(const TuneConfig& start, std::size_t most, const TuneOptions& options);

}  // namespace driftless
