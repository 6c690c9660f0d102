// The search for the best settings of every method on one problem: many trials with the same budget, in parallel.
#pragma once

#include "driftless/tuning/tuning_result.hpp"

#include <functional>

namespace driftless {

struct TuneOptions {
  std::string out;          // exactly this directory, new or that of the same search; empty: a new one in output.dir
  bool must_exist = false;  // `out` must hold a search
  bool files = true;        // false: nothing is written, and nothing can be resumed
  bool progress = false;
  StopToken stop_token = {};         // polled before and inside trials; one that is stopped has no result
  const Problem* problem = nullptr;  // shared by several searches; null: the search makes its own
};

// The number of trials of each rung of successive halving: n, ⌈n/reduction⌉, … 1.
std::vector<std::size_t> rung_sizes(std::size_t trials, std::size_t reduction);

// Leaves trials.csv, tune.json and best.toml in the directory. The result does not depend on the number of threads
// (federation.threads), nor on whether the search was killed and resumed. ConfigError where the directory holds another
// search.
TuningResult tune(const TuneConfig& config, const TuneOptions& options);

}  // namespace driftless
