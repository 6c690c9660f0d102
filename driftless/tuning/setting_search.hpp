// The best setting of every method: first on a small grid, then by changing one option at a time, so that a winner at
// the edge of the grid is followed beyond it. Every method may try the same number of settings.
#pragma once

#include "driftless/tuning/tuning.hpp"

namespace driftless {

struct BestSetting {
  TrialResult trial;
  std::size_t tried = 0;  // settings of this method
  bool settled = false;   // halving or doubling any single option brings no substantial improvement
};

struct SettingSearch {
  std::vector<BestSetting> best;    // one per method of the configuration
  std::vector<TrialResult> trials;  // all, in the order of their numbers
  StopConditions goal;              // the hardest target on this problem
  bool interrupted = false;         // then `best` is empty
};

// First the grid of `start`. Then one option of every method at a time is divided and multiplied by 4, with the others
// as in the method's best setting, until no option brings an improvement; then the same by 2. A method that would try
// more than `most` settings ends unsettled. Values that a method rejects are skipped. The free options must be lists of
// numbers.
SettingSearch search_settings(const TuneConfig& start, std::size_t most, const TuneOptions& options);

}  // namespace driftless
