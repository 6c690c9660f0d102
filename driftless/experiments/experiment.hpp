// A whole run: the problem is made once, then each method of the configuration works on it in a federation of its own.
#pragma once

#include "driftless/results/link.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/results/result_writer.hpp"
#include "driftless/experiments/run_config.hpp"

#include <functional>

namespace driftless {

struct ExperimentOptions {
  std::string out;      // exactly this directory; empty: a new one in output.dir
  bool resume = false;  // `out` holds a run of this configuration, which goes on
  bool progress = false;
  std::vector<Link> links;                                     // also tell what the run would have taken on these
  std::function<void(const std::filesystem::path&)> on_start;  // told the run directory when the methods begin
  // A signal: end after the current round with this code. Where there are several peers, rank 0's counts.
  std::function<std::optional<ExitCode>()> asked_to_stop;
  Transport* transport = nullptr;  // to the other peers; none: this process hosts every client
  SiteData own;                    // what this peer brings
  std::size_t threads = 0;         // where federation.threads is 0; 0: one per core
  std::string run = {};  // identifies a run of several peers over restarts; part of what checkpoints belong to
  // Shown how far a method has come, after each of its rounds.
  std::function<void(const std::string& label, const TraceRow&)> on_round = {};
  bool saves = true;           // state to go on from, where results are left; of no use where the others save none
  bool leaves_results = true;  // false: another peer's run directory is enough
};

struct Experiment {
  RunConfig config;  // with values in place of "theory"
  Problem problem;
  RunRecord record;

  ExitCode exit_code() const { return record.exit_code.value_or(ExitCode::internal); }
};

// Leaves a run directory. A method that diverges does not keep the following ones from running. A run that goes on
// keeps its finished methods, and leaves what it would have left without the break, but for times.
Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options);

}  // namespace driftless
