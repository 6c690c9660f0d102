// driftless run
#include "driftless/run/certificate_writer.hpp"
#include "driftless/run/experiment.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/target_table.hpp"

#include "apps/commands.hpp"
#include "apps/live_server.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

void print_plan(const RunConfig& config, Format format) {
  const std::string text = canonical_text(config);
  if (format == Format::text) fmt::print("{}", text);
  else fmt::print("{}\n", nlohmann::ordered_json{{"config_hash", short_hash(config)}, {"config", text}}.dump(2));
}

void print_results(const Experiment& experiment, Format format) {
  if (format == Format::json)
    return fmt::print("{}", results_json(experiment.config, experiment.problem, experiment.record));
  if (!experiment.record.outcomes.empty())
    fmt::print("{}{}\n", table_text(target_table(experiment.record.outcomes)),
               endings_text(experiment.record.outcomes));
  if (const std::string certificates = certificates_text(experiment.record.outcomes); !certificates.empty())
    fmt::print("{}\n", certificates);
  fmt::print("results in {}\n", experiment.record.directory.string());
}

}  // namespace

ExitCode run(const RunRequest& request) {
  const RunConfig config = read_config(request.file, request.overrides);
  if (request.dry_run) {
    print_plan(config, request.format);
    return ExitCode::done;
  }
  remember_signals();
  std::optional<LiveServer> live;
  ExperimentOptions options{.out = request.out, .progress = progress_wanted(), .asked_to_stop = signal_seen};
  if (request.live) {
    live.emplace(*request.live);
    log_info("live at " + live->address());
    options.on_start = [&](const std::filesystem::path& directory) { live->follow(directory); };
  }
  const Experiment experiment = run_experiment(config, options);
  if (live) live->finish();
  print_results(experiment, request.format);
  return experiment.exit_code();
}

}  // namespace driftless::app
