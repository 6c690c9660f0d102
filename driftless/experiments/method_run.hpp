// The run of one method: its federation, trace, theorem check and checkpoints.
#pragma once

#include "driftless/experiments/run_progress.hpp"
#include "driftless/experiments/run_recorder.hpp"
#include "driftless/experiments/stop_agreement.hpp"
#include "driftless/results/saved_run.hpp"

namespace driftless {

// What all methods of a run share.
struct RunContext {
  const RunConfig& config;
  const ExperimentOptions& options;
  const Problem& problem;
  const std::optional<ProblemConstants>& constants;  // present where a method has a theorem check
  Transport& transport;
  ThreadPool& pool;
  const StopAgreement& stop;
};

class MethodRun {
 public:
  // Opens the files of the method, and its checkpoint where a resumed run has one.
  MethodRun(const RunContext& context, const MethodConfig& config, const RunRecorder& recorder);
  MethodRun(const MethodRun&) = delete;
  MethodRun& operator=(const MethodRun&) = delete;

  DriveResult run(Method& method);
  MethodOutcome outcome(const Method& method, const DriveResult& result) const;

 private:
  DriveOptions drive_options();
  void restore(RunState& state);
  void log_decision(const Method& method);

  const RunContext& context_;
  const MethodConfig& config_;
  std::optional<SavedRun> saved_;
  std::optional<MetricsFile> metrics_;
  Federation fed_;
  Progress progress_;
  Trace trace_;
  std::optional<TheoremCheck> check_;
  std::optional<RunSaver> saver_;
  std::string logged_choice_;  // empty: none yet
};

}  // namespace driftless
