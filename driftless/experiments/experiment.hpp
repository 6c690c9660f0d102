// A whole run: the problem is made once, then each method of the configuration works on it in a federation of its own.
#pragma once

#include "driftless/experiments/experiment_options.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/results/result_writer.hpp"

namespace driftless {

struct Experiment {
  RunConfig config;  // with numbers instead of "theory"
  Problem problem;
  RunRecord record;
  std::optional<ErrorKind> failure;  // none where every method ended by itself and no bound was violated
};

// Leaves a run directory. A method that diverges does not keep the following ones from running. A resumed run keeps its
// finished methods and leaves what it would have left without the interruption, except for times.
Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options);

}  // namespace driftless
