// driftless serve
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/experiments/stop_agreement.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/methods/automatic/auto_options.hpp"
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/pki/certificate.hpp"

#include "apps/network/peer_folder.hpp"
#include "apps/network/peer_security.hpp"
#include "apps/network/run_audit.hpp"
#include "apps/network/server_status.hpp"
#include "apps/network/tls_arguments.hpp"
#include "apps/run_results.hpp"
#include "apps/saving.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ServeRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string save;                    // what `auto` is to save; empty: as configured
  std::vector<std::string> links;      // the network for which it saves time
  std::string listen = "127.0.0.1:7443";
  std::string tls;  // folder
  bool plain = false;
  std::string out;
  double wait = 600.0;
  std::uint64_t journal_bytes = std::uint64_t{64} << 20;  // at which a file of the journal is closed
  bool dry_run = false;
  bool status = false;   // only show the status of the server that uses the folder
  bool inspect = false;  // measure and try methods instead of running those configured
  Format format = Format::text;
};

void require_sites(const RunConfig& config) {
  if (!config.network.sites.empty()) return;
  throw ConfigError({.what = "the configuration names no sites",
                     .seen = config.network.location + ": [network] has no 'sites'",
                     .advice = "add [network] with sites = [\"north\", \"south\"], as in their certificates"});
}

// Unlike 'run', a server estimates no times on other networks.
void reject_idle_link(const ServeRequest& request) {
  if (request.links.empty() || request.save == enum_name(Save::time)) return;
  throw ConfigError(
      {.what = "--link is the network of --save time",
       .seen = "--link \"" + request.links.front() + "\" without --save time",
       .advice = "add --save time, or leave --link out; 'driftless report' estimates the time on a link"});
}

// The server needs no files where the sites hold all of them.
RunConfig own_config(const ServeRequest& request, const RunConfig& as_written) {
  RunConfig config = as_written.federation.split ? read_config(request.file, request.overrides) : as_written;
  config.inspect.over_network = request.inspect;
  return config;
}

// What sites are sent: with the table that makes them inspect, where that is asked for.
std::string offered_text(const ServeRequest& request, RunConfig config) {
  if (!request.inspect) return canonical_text(config);
  config.inspect.over_network = true;
  return canonical_text(config) + "\n[inspect]\n" + toml_lines(echo_options(config.inspect));
}

std::string open_folder(PeerFolder& folder, const std::string& configuration_digest) {
  if (const std::string run = folder.run(configuration_digest); !run.empty()) {
    log_info("continuing the run in " + folder.path().string());
    return run;
  }
  folder.begin(new_run_name(), configuration_digest);
  return folder.run(configuration_digest);
}

std::string serial_of(const std::string& pem) { return pem.empty() ? "" : facts_of(pem).serial; }

// One run of the server, from opening its folder to writing the results.
class Server {
 public:
  Server(const ServeRequest& request, RunConfig config, std::string text, std::optional<TlsFiles> tls,
         PeerFolder& folder)
      : request_(request),
        config_(std::move(config)),
        digest_(sha256(text)),
        folder_(folder),
        run_(open_folder(folder, digest_)),
        audit_(folder.audit_file()),
        journal_(folder.path() / "journal", {.owner = {run_, digest_}, .file_bytes = request.journal_bytes}),
        hub_(config_.clients(), site_slots(config_.network, config_.clients()), journal_, hub_options()),
        server_(hub_, server_options(std::move(text), tls)) {
    log_info(fmt::format("listening at {} for {} sites, {}",
                         request_.listen.substr(0, request_.listen.rfind(':') + 1) + std::to_string(server_.port()),
                         hub_.slots().size(), tls ? "TLS" : "plain text"));
    audit_.record("started", {{"version", program_version()},
                              {"run", run_},
                              {"configuration_sha256", digest_},
                              {"listen", request_.listen},
                              {"protection", tls ? "TLS" : "none"},
                              {"next_exchange", std::to_string(journal_.next())}});
  }

  ExitCode run() {
    StatusWriter status(hub_, run_, folder_.path());
    if (folder_.has_results() && run_is_finished(folder_.results(), config_)) return serve_finished_run();
    // A journal may hold all remaining totals: then no site needs to join.
    if (journal_.next() == 0) hub_.wait_for_sites(request_.wait, received_signal);
    if (const std::optional<ErrorKind> interruption = driftless::failure_of(received_signal())) {
      hub_.end(*interruption, {.what = "the server was stopped before the run began",
                               .seen = "a signal",
                               .advice = "start the server and the sites again: the run continues where it was"});
      return exit_code_of(*interruption);
    }
    HubTransport transport(hub_);
    if (request_.inspect) return inspect_sites(transport);
    try {
      const Experiment experiment = run_experiment(config_, experiment_options(transport, status));
      record_results(audit_, experiment);
      hub_.wait_for_finish(config_.network.grace, received_signal);
      print_peer_results(experiment, request_.format);
      log_debug(fmt::format("rows held at the same time: {} numbers at most", hub_.most_rows_held()));
      return exit_code_of(experiment.failure);
    } catch (const Error& error) {
      audit_.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
      throw;
    }
  }

 private:
  HubOptions hub_options() {
    return {.grace = config_.network.grace,
            .first_wait = request_.wait,
            .deadline = config_.network.deadline,
            .on_loss = config_.network.on_loss,
            .quorum = config_.network.quorum,
            .stop_token = received_signal,
            .finished = folder_.finished_sites(),
            .on_event = [this](const HubEvent& event) {
              log_info(event.text);
              audit_.record(std::string(enum_name(event.kind)), {{"site", event.site}, {"text", event.text}});
              if (event.kind == HubEvent::Kind::finished) folder_.add_finished_site(event.site);
            }};
  }

  GrpcServerOptions server_options(std::string text, const std::optional<TlsFiles>& tls) {
    if (tls && tls->revocations.empty())
      log_warning("there is no revocation list in " + request_.tls + ": revoked certificates are not recognised");
    return {.address = request_.listen,
            .tls = tls ? std::optional(texts_of(*tls)) : std::nullopt,
            .version = program_version(),
            .run = run_,
            .configuration = std::move(text),
            .configuration_digest = digest_,
            .check_certificate = certificate_check(request_.tls, tls, "site",
                                                   [this](const std::string& event) {
                                                     log_warning(event);
                                                     audit_.record("revocation-list", {{"text", event}});
                                                   }),
            .on_call =
                [this](const CallRecord& call) {
                  audit_.record(call.rejected.empty() ? "called" : "call-rejected",
                                {{"call", call.call},
                                 {"site", call.site},
                                 {"address", call.address},
                                 {"certificate", serial_of(call.certificate)},
                                 {"reason", call.rejected}});
                },
            .on_event =
                [this](const std::string& event) {
                  log_warning(event);
                  audit_.record("connections", {{"text", event}});
                }};
  }

  ExperimentOptions experiment_options(HubTransport& transport, StatusWriter& status) const {
    return {.out = folder_.results().string(),
            .resume = folder_.has_results(),
            .progress = progress_wanted(),
            .stop_token = received_signal,
            .exit_code = exit_number_of,
            .transport = &transport,
            .run = run_,
            .on_round = [&status](const std::string& label, const TraceRow& row) { status.at_round(label, row); },
            .leaves_results = true};
  }

  ExitCode inspect_sites(HubTransport& transport) {
    try {
      const Inspection found =
          inspect(config_, {.progress = progress_wanted(), .stop_token = received_signal, .transport = &transport});
      audit_.record("inspected", {{"interrupted", found.interrupted ? "yes" : "no"}});
      hub_.wait_for_finish(config_.network.grace, received_signal);
      if (found.interrupted) return exit_code_of(received_signal());
      fmt::print("{}", request_.format == Format::json ? inspection_json(found) : inspection_text(found));
      return ExitCode::done;
    } catch (const Error& error) {
      audit_.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
      throw;
    }
  }

  ExitCode serve_finished_run() {
    log_info("the run is finished; its results are in " + folder_.results().string());
    audit_.record("resumed", {{"text", "the run was finished before"}});
    hub_.wait_for_finish(config_.network.grace, received_signal);
    return ExitCode::done;
  }

  const ServeRequest& request_;
  const RunConfig config_;
  const std::string digest_;
  PeerFolder& folder_;
  const std::string run_;
  AuditLog audit_;
  Journal journal_;
  Hub hub_;
  GrpcServer server_;
};

ExitCode serve(const ServeRequest& request) {
  const RunConfig offered = read_config(request.file, request.overrides, MethodTables::or_auto, Paths::as_written);
  require_sites(offered);
  const std::string text = offered_text(request, offered);
  const std::string usual = offered.output.name + (request.inspect ? "-inspect-server" : "-server");
  const std::string out = request.out.empty() ? usual : request.out;
  if (request.dry_run) {
    print_configuration(text, short_hash(offered), request.format);
    return ExitCode::done;
  }
  if (request.status) {
    print_status(out, request.format);
    return ExitCode::done;
  }
  std::optional<TlsFiles> tls = chosen_tls(request.tls, request.plain, request.listen);
  if (tls) require_kind(*tls, SubjectKind::server, request.tls);
  RunConfig config = own_config(request, offered);
  PeerFolder folder(out);
  record_signals();
  return Server(request, std::move(config), text, std::move(tls), folder).run();
}

}  // namespace

void declare_serve(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ServeRequest>();
  command.add_option("FILE", request->file, "the configuration, with a table [network]")->required();
  command.add_option("-c", request->overrides, "set a key on top of the file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_save(command, request->save);
  command.add_option("--link", request->links, "the network of --save time, such as \"20ms,100Mbit\"")
      ->type_name("LINK")
      ->allow_extra_args(false);
  command.add_option("--listen", request->listen, "address and port; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  add_tls_arguments(command, request->tls, request->plain);
  command
      .add_option("--out", request->out, "the folder of the run; NAME-server if not given. The same again continues")
      ->type_name("DIR");
  command.add_option("--wait", request->wait, "seconds to wait for all sites to join")->capture_default_str();
  command
      .add_option("--journal-bytes", request->journal_bytes,
                  "size at which a file of the journal is closed; closed files that no peer needs are removed")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("--status", request->status, "show the status of the server that uses the folder, and stop");
  command.add_flag("--inspect", request->inspect,
                   "measure L, mu and delta and try methods, as 'inspect' does, instead of running; then end");
  command.add_flag("--dry-run", request->dry_run, "print the configuration that sites would get and stop");
  add_format(command, request->format);
  command.footer("Example:\n  driftless serve examples/silos/federation.toml --listen 0.0.0.0:7443 --tls ca/server");
  command.callback([&action, request] {
    action = [request] {
      reject_idle_link(*request);
      request->overrides = with_saving(request->overrides, request->save, request->links);
      return serve(*request);
    };
  });
}

}  // namespace driftless::app
