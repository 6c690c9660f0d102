// driftless resume
#include "driftless/files/input_file.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/resume.hpp"

#include "apps/commands.hpp"
#include "apps/print_results.hpp"
#include "apps/signals.hpp"

namespace driftless::app {
namespace {

namespace fs = std::filesystem;

void require_run(const fs::path& directory) {
  std::error_code ignored;
  if (fs::exists(directory / "config.toml", ignored)) return;
  throw ConfigError({.what = "there is no run to resume",
                     .seen = directory.string() + " has no config.toml",
                     .advice = "give the directory that 'driftless run' left; it prints its name at the end"});
}

}  // namespace

ExitCode resume(const ResumeRequest& request) {
  const fs::path directory = request.directory;
  require_run(directory);
  const RunConfig config = read_config(directory / "config.toml");
  if (run_is_finished(directory, config)) {
    log_info("the run is finished, nothing is left to do: " + directory.string());
    if (request.format == Format::json) fmt::print("{}", read_input_file(directory / "run.json"));
    return ExitCode::done;
  }
  remember_signals();
  const Experiment experiment = run_experiment(config, {.out = request.directory,
                                                        .resume = true,
                                                        .progress = progress_wanted(),
                                                        .on_start = {},
                                                        .asked_to_stop = signal_seen});
  print_results(experiment, request.format);
  return experiment.exit_code();
}

}  // namespace driftless::app
