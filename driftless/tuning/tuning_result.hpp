// The result of a search.
#pragma once

#include "driftless/tuning/trial.hpp"

namespace driftless {

struct TuningResult {
  TuneConfig config;
  std::string problem;  // one line
  Yardstick yardstick = Yardstick::gap;
  StopConditions goal;                    // the hardest target on this problem
  std::vector<TrialResult> trials;        // by number, then rung
  std::size_t planned = 0;                // trials, over all rungs
  std::filesystem::path directory;        // empty where nothing was written
  StopSignal stopped = StopSignal::none;  // otherwise the search is incomplete: these are the trials until then

  bool interrupted() const { return stopped != StopSignal::none; }

  std::vector<TrialResult> settings() const;  // of every setting the result with the largest budget
};

// The best setting of a method at a target; null where none reached it.
const TrialResult* best_at(const std::vector<TrialResult>& settings, std::size_t target, std::size_t method,
                           Currency currency);
const TrialResult* best_at(std::vector<TrialResult>&&, std::size_t, std::size_t, Currency) = delete;  // would dangle

// The settings of all methods on the frontier of rounds and gradient evaluations at a target, ordered by rounds.
std::vector<const TrialResult*> frontier_at(const std::vector<TrialResult>& settings, std::size_t target);
std::vector<const TrialResult*> frontier_at(std::vector<TrialResult>&&, std::size_t) = delete;

}  // namespace driftless
