// A whole run: the problem is made once, then each method of the configuration works on it in a federation of its own.
#pragma once

#include "driftless/run/link.hpp"
#include "driftless/run/problem.hpp"
#include "driftless/run/result_writer.hpp"
#include "driftless/run/run_config.hpp"

#include <functional>

namespace driftless {

struct ExperimentOptions {
  std::string out;  // exactly this directory; empty: a new one in output.dir
  bool progress = false;
  std::vector<Link> links;                                     // also tell what the run would have taken on these
  std::function<void(const std::filesystem::path&)> on_start;  // told the run directory when the methods begin
  std::function<std::optional<ExitCode>()> asked_to_stop;      // a signal: end after the current round with this code
};

struct Experiment {
  RunConfig config;  // with values in place of "theory"
  Problem problem;
  RunRecord record;

  ExitCode exit_code() const { return record.exit_code.value_or(ExitCode::internal); }
};

// Leaves a run directory. A method that diverges does not keep the following ones from running.
Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options);

}  // namespace driftless
