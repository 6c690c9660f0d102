// driftless resume
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/files/input_file.hpp"

#include "apps/run_results.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ResumeRequest {
  std::string directory;  // that 'driftless run' left before it was finished
  Format format = Format::text;
};

namespace fs = std::filesystem;

void require_run(const fs::path& directory) {
  std::error_code ignored;
  if (fs::exists(directory / "config.toml", ignored)) return;
  throw ConfigError({.what = "there is no run to resume",
                     .seen = directory.string() + " has no config.toml",
                     .advice = "give the directory that 'driftless run' left; it prints its name at the end"});
}

ExitCode resume(const ResumeRequest& request) {
  const fs::path directory = request.directory;
  require_run(directory);
  const RunConfig config = read_config(directory / "config.toml");
  if (run_is_finished(directory, config, exit_number_of)) {
    log_info("the run is finished, nothing is left to do: " + directory.string());
    if (request.format == Format::json) fmt::print("{}", read_input_file(directory / "run.json"));
    return ExitCode::done;
  }
  record_signals();
  const Experiment experiment = run_experiment(config, {.out = request.directory,
                                                        .resume = true,
                                                        .progress = progress_wanted(),
                                                        .stop_token = received_signal,
                                                        .exit_code = exit_number_of});
  print_results(experiment, request.format);
  return exit_code_of(experiment.failure);
}

}  // namespace

void declare_resume(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ResumeRequest>();
  command.add_option("DIR", request->directory, "the directory of the run")->required();
  add_format(command, request->format);
  command.footer("Example:\n  driftless resume results");
  command.callback([&action, request] { action = [request] { return resume(*request); }; });
}

}  // namespace driftless::app
