// driftless run
#include "driftless/run/progress.hpp"

#include "apps/commands.hpp"
#include "apps/live_server.hpp"
#include "apps/print_plan.hpp"
#include "apps/print_results.hpp"
#include "apps/signals.hpp"

namespace driftless::app {

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
