// driftless serve
#include "driftless/data/digest.hpp"
#include "driftless/run/machine.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/resume.hpp"
#include "driftless/transports/grpc_server.hpp"

#include "apps/commands.hpp"
#include "apps/peer_folder.hpp"
#include "apps/print_plan.hpp"
#include "apps/print_results.hpp"
#include "apps/signals.hpp"
#include "apps/tls_choice.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

void require_sites(const RunConfig& config) {
  if (!config.network.sites.empty()) return;
  throw ConfigError({.what = "the configuration names no sites",
                     .seen = config.network.place + ": [network] has no 'sites'",
                     .advice = "add [network] with sites = [\"north\", \"south\"], as in their certificates"});
}

// Where the sites hold all files, the server looks for none.
RunConfig own_config(const ServeRequest& request, const RunConfig& as_written) {
  return as_written.federation.split ? read_config(request.file, request.overrides) : as_written;
}

std::string open_folder(PeerFolder& folder) {
  if (folder.run().empty()) folder.begin(new_run_name());
  else log_info("continuing the run in " + folder.path().string());
  return folder.run();
}

std::function<std::optional<Trouble>(const std::string&)> certificate_check(const TlsFiles& own) {
  return [own](const std::string& pem) -> std::optional<Trouble> {
    const std::optional<std::string> reason = check_peer(pem, own);
    if (!reason) return std::nullopt;
    return Trouble{.what = "the certificate of the site is not accepted",
                   .seen = *reason,
                   .advice = "ask who keeps the CA for a valid one: 'driftless pki issue'"};
  };
}

}  // namespace

ExitCode serve(const ServeRequest& request) {
  const RunConfig offered = read_config(request.file, request.overrides, MethodTables::needed, Paths::as_written);
  require_sites(offered);
  const std::string text = canonical_text(offered);
  if (request.dry_run) {
    print_plan(text, short_hash(offered), request.format);
    return ExitCode::done;
  }
  const std::optional<TlsFiles> tls = chosen_tls(request.tls, request.plain, request.listen);
  const RunConfig config = own_config(request, offered);
  PeerFolder folder(request.out.empty() ? offered.output.name + "-server" : request.out);
  const std::string run = open_folder(folder);
  remember_signals();

  Journal journal(folder.path() / "journal");
  const std::size_t clients = config.clients();
  Hub hub(clients, seats_of(config.network, clients), journal,
          {.grace = config.network.grace,
           .deadline = config.network.deadline,
           .on_loss = config.network.on_loss,
           .quorum = config.network.quorum,
           .on_event = [](const std::string& event) { log_info(event); }});
  const GrpcServer server(hub, {.address = request.listen,
                                .tls = tls ? std::optional(texts_of(*tls)) : std::nullopt,
                                .version = program_version(),
                                .run = run,
                                .configuration = text,
                                .configuration_digest = sha256(text),
                                .check_certificate = tls ? certificate_check(*tls) : nullptr});
  log_info(fmt::format("listening at {} for {} sites, {}",
                       request.listen.substr(0, request.listen.rfind(':') + 1) + std::to_string(server.port()),
                       hub.seats().size(), tls ? "TLS" : "plain text"));
  HubTransport transport(hub);
  const bool finished = folder.has_results() && run_is_finished(folder.results(), config);
  if (finished) {
    log_info("the run is finished; sites that have not heard of it may still fetch the end");
    hub.let_finish(config.network.grace);
    return ExitCode::done;
  }
  hub.wait_for_sites(request.wait, [] { return signal_seen().has_value(); });
  if (const auto code = signal_seen()) return *code;
  const Experiment experiment = run_experiment(config, {.out = folder.results().string(),
                                                        .resume = folder.has_results(),
                                                        .progress = progress_wanted(),
                                                        .on_start = {},
                                                        .asked_to_stop = signal_seen,
                                                        .transport = &transport,
                                                        .own = {},
                                                        .leaves_results = true});
  hub.let_finish(config.network.grace);
  print_results(experiment, request.format, "the same command, at the server and at every site");
  log_debug(fmt::format("rows held at the same time: {} numbers at most", hub.most_rows_held()));
  return experiment.exit_code();
}

}  // namespace driftless::app
