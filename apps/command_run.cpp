// driftless run
#include "driftless/console/progress.hpp"

#include "apps/commands.hpp"
#include "apps/live_server.hpp"
#include "apps/print_plan.hpp"
#include "apps/print_results.hpp"
#include "apps/run_peer.hpp"
#include "apps/signals.hpp"

namespace driftless::app {

ExitCode run_peer(const RunRequest& request, const RunConfig& config, const Peer& peer) {
  const bool speaks = peer.transport == nullptr || peer.transport->layout().rank == 0;
  if (request.dry_run) {
    if (speaks) print_plan(canonical_text(config), short_hash(config), request.format);
    return ExitCode::done;
  }
  remember_signals();
  std::optional<LiveServer> live;
  ExperimentOptions options{.out = request.out,
                            .progress = speaks && progress_wanted(),
                            .links = read_links(request.links),
                            .asked_to_stop = signal_seen,
                            .transport = peer.transport,
                            .threads = peer.threads,
                            .saves = peer.transport == nullptr,
                            .leaves_results = speaks};
  if (request.live && speaks) {
    live.emplace(*request.live);
    log_info("live at " + live->address());
    options.on_start = [&](const std::filesystem::path& directory) { live->follow(directory); };
  }
  const Experiment experiment = run_experiment(config, options);
  if (live) live->finish();
  if (speaks) print_results(experiment, request.format);
  return experiment.exit_code();
}

ExitCode run(const RunRequest& request) {
  read_links(request.links);  // a bad one is told before anything is read
  if (request.transport == TransportName::mpi) return run_over_mpi(request);
  return run_peer(request, read_config(request.file, request.overrides), {});
}

}  // namespace driftless::app
