// driftless run
#include "driftless/run/certificate_writer.hpp"
#include "driftless/run/experiment.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/target_table.hpp"

#include "apps/commands.hpp"
#include "apps/live_server.hpp"
#include "apps/print_plan.hpp"
#include "apps/run_peer.hpp"
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
  if (const std::string certificates = certificates_text(experiment.record.outcomes); !certificates.empty())
    fmt::print("{}\n", certificates);
  fmt::print("results in {}\n", experiment.record.directory.string());
}

}  // namespace

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
                            .asked_to_stop = signal_seen,
                            .transport = peer.transport,
                            .threads = peer.threads,
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
  if (request.transport == TransportName::mpi) return run_over_mpi(request);
  return run_peer(request, read_config(request.file, request.overrides), {});
}

}  // namespace driftless::app
