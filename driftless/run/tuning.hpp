// The search for the best settings of every method on one problem: many trials within the same budget, side by side.
#pragma once

#include "driftless/run/trial.hpp"

#include <functional>

namespace driftless {

struct TuneOptions {
  std::string out;          // exactly this directory, new or that of the same search; empty: a new one in output.dir
  bool must_exist = false;  // `out` has to hold a search that was begun
  bool files = true;        // false: nothing is written, and nothing can be resumed
  bool progress = false;
  std::function<std::optional<ExitCode>()> asked_to_stop;  // a signal: end after the trials under way
  const Problem* problem = nullptr;                        // made before; several searches can share one
};

struct TuningResult {
  TuneConfig config;
  std::string problem;  // one line
  Yardstick yardstick = Yardstick::gap;
  StopConditions goal;                  // what the hardest target is on this problem
  std::vector<TrialResult> trials;      // by number, then rung
  std::size_t planned = 0;              // trials, over all rungs
  std::filesystem::path directory;      // empty where nothing was written
  std::optional<ExitCode> interrupted;  // with this code; the rest is what there was until then

  std::vector<TrialResult> settings() const;  // of every setting the result with the largest budget
};

// The best of a method at a target; null where none came to it.
const TrialResult* best_at(const std::vector<TrialResult>& settings, std::size_t target, std::size_t method,
                           Currency currency);
const TrialResult* best_at(std::vector<TrialResult>&&, std::size_t, std::size_t, Currency) = delete;  // would dangle

// The settings of all methods that nothing beats in both rounds and gradient evaluations at a target, by rounds.
std::vector<const TrialResult*> frontier_at(const std::vector<TrialResult>& settings, std::size_t target);
std::vector<const TrialResult*> frontier_at(std::vector<TrialResult>&&, std::size_t) = delete;

// How many trials each rung of successive halving has: n, ⌈n/reduction⌉, … 1.
std::vector<std::size_t> rung_sizes(std::size_t trials, std::size_t reduction);

// Leaves trials.csv, tune.json and best.toml in the directory. The result does not depend on the number of threads
// (federation.threads), nor on whether the search was killed and resumed. ConfigError where the directory holds another
// search.
TuningResult tune(const TuneConfig& config, const TuneOptions& options);

}  // namespace driftless
