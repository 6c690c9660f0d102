// driftless run
#include "driftless/run/certificate_writer.hpp"
#include "driftless/run/experiment.hpp"
#include "driftless/run/link_table.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/target_table.hpp"

#include "apps/commands.hpp"
#include "apps/live_server.hpp"
#include "apps/print_plan.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

void print_results(const Experiment& experiment, Format format) {
  if (format == Format::json)
    return fmt::print("{}", results_json(experiment.config, experiment.problem, experiment.record));
  if (!experiment.record.outcomes.empty())
    fmt::print("{}{}\n", table_text(target_table(experiment.record.outcomes)),
               endings_text(experiment.record.outcomes));
  fmt::print("{}", link_tables_text(target_table(experiment.record.outcomes), experiment.record.links));
  if (const std::string certificates = certificates_text(experiment.record.outcomes); !certificates.empty())
    fmt::print("{}\n", certificates);
  fmt::print("results in {}\n", experiment.record.directory.string());
}

}  // namespace

ExitCode run(const RunRequest& request) {
  const std::vector<Link> links = read_links(request.links);
  const RunConfig config = read_config(request.file, request.overrides);
  if (request.dry_run) {
    print_plan(canonical_text(config), short_hash(config), request.format);
    return ExitCode::done;
  }
  remember_signals();
  std::optional<LiveServer> live;
  ExperimentOptions options{
      .out = request.out, .progress = progress_wanted(), .links = links, .asked_to_stop = signal_seen};
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
