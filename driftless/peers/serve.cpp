#include "driftless/peers/serve.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/experiments/stop_agreement.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/peers/audit_log.hpp"
#include "driftless/peers/peer_folder.hpp"
#include "driftless/peers/peer_security.hpp"
#include "driftless/peers/run_audit.hpp"
#include "driftless/peers/server_status.hpp"
#include "driftless/pki/certificate.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr const char* text_name = "the configuration";

void require_sites(const RunConfig& config) {
  if (!config.network.sites.empty()) return;
  throw ConfigError({.what = "the configuration names no sites",
                     .seen = config.network.location + ": [network] has no 'sites'",
                     .advice = "add [network] with sites = [\"north\", \"south\"], as in their certificates"});
}

RunConfig read_served(const ServeOptions& options, Paths paths) {
  if (options.text.empty()) return read_config(options.file, options.overrides, MethodTables::or_auto, paths);
  return parse_config(options.text, text_name, paths);
}

// The server needs no files where the sites hold all of them.
RunConfig own_config(const ServeOptions& options, const RunConfig& as_written) {
  RunConfig config = as_written.federation.split ? read_served(options, Paths::resolved) : as_written;
  config.inspect.over_network = options.inspect;
  return config;
}

// What sites are sent: with the table that makes them inspect, where that is asked for.
std::string offered_text(const ServeOptions& options, RunConfig config) {
  if (!options.inspect) return canonical_text(config);
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
  Server(const ServeOptions& options, RunConfig config, std::string text, std::optional<TlsFiles> tls,
         PeerFolder& folder)
      : options_(options),
        config_(std::move(config)),
        digest_(sha256(text)),
        folder_(folder),
        run_(open_folder(folder, digest_)),
        audit_(folder.audit_file()),
        journal_(folder.path() / "journal", {.owner = {run_, digest_}, .file_bytes = options.journal_bytes}),
        keys_(config_.network.sites, folder.path() / "keys"),
        hub_(config_.clients(), site_slots(config_.network, config_.clients()), journal_, hub_options()),
        server_(hub_, server_options(std::move(text), tls)) {
    const std::string address =
        options_.listen.substr(0, options_.listen.rfind(':') + 1) + std::to_string(server_.port());
    log_info(fmt::format("listening at {} for {} sites, {}", address, hub_.slots().size(), tls ? "TLS" : "plain text"));
    audit_.record("started", {{"version", program_version()},
                              {"run", run_},
                              {"configuration_sha256", digest_},
                              {"listen", options_.listen},
                              {"protection", tls ? "TLS" : "none"},
                              {"next_exchange", std::to_string(journal_.next())}});
    if (options_.on_listen) options_.on_listen(address);
  }

  PeerRun run() {
    StatusWriter status(hub_, run_, folder_.path());
    if (folder_.has_results() && run_is_finished(folder_.results(), config_, options_.exit_code))
      return serve_finished_run();
    // A journal may hold all remaining totals: then no site needs to join.
    if (journal_.next() == 0) hub_.wait_for_sites(options_.wait, options_.stop_token);
    if (const std::optional<ErrorKind> interruption = driftless::failure_of(options_.stop_token.signal())) {
      hub_.end(*interruption, {.what = "the server was stopped before the run began",
                               .seen = "a signal",
                               .advice = "start the server and the sites again: the run continues where it was"});
      return {.results = folder_.results(), .failure = interruption};
    }
    HubTransport transport(hub_);
    if (options_.inspect) return inspect_sites(transport);
    try {
      Experiment experiment = run_experiment(config_, experiment_options(transport, status));
      record_results(audit_, experiment);
      hub_.wait_for_finish(config_.network.grace, options_.stop_token);
      log_debug(fmt::format("rows held at the same time: {} numbers at most", hub_.most_rows_held()));
      const std::optional<ErrorKind> failure = experiment.failure;
      return {.results = folder_.results(), .experiment = std::move(experiment), .failure = failure};
    } catch (const Error& error) {
      audit_.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
      throw;
    }
  }

 private:
  HubOptions hub_options() {
    return {.grace = config_.network.grace,
            .first_wait = options_.wait,
            .deadline = config_.network.deadline,
            .on_loss = config_.network.on_loss,
            .quorum = config_.network.quorum,
            .stop_token = options_.stop_token,
            .finished = folder_.finished_sites(),
            .dropped = folder_.dropped_sites(),
            .keys = &keys_,
            .unmask_threshold = unmask_threshold(config_.network),
            .on_event = [this](const HubEvent& event) {
              log_info(event.text);
              audit_.record(std::string(enum_name(event.kind)), {{"site", event.site}, {"text", event.text}});
              if (event.kind == HubEvent::Kind::finished) folder_.add_finished_site(event.site);
              // Masks depend on who takes part, so a restarted server must know.
              if (event.kind == HubEvent::Kind::dropped && config_.network.secure_sum)
                folder_.add_dropped_site(event.site);
            }};
  }

  GrpcServerOptions server_options(std::string text, const std::optional<TlsFiles>& tls) {
    if (tls && tls->revocations.empty())
      log_warning("there is no revocation list in " + options_.tls + ": revoked certificates are not recognised");
    return {.address = options_.listen,
            .tls = tls ? std::optional(texts_of(*tls)) : std::nullopt,
            .version = program_version(),
            .run = run_,
            .configuration = std::move(text),
            .configuration_digest = digest_,
            .keys = config_.network.secure_sum ? &keys_ : nullptr,
            .latency = options_.latency,
            .check_certificate = certificate_check(options_.tls, tls, "site",
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
            .progress = options_.progress,
            .stop_token = options_.stop_token,
            .exit_code = options_.exit_code,
            .transport = &transport,
            .run = run_,
            .on_round =
                [this, &status](const std::string& label, const TraceRow& row) {
                  status.at_round(label, row);
                  if (options_.on_round) options_.on_round(label, row);
                },
            .leaves_results = true};
  }

  PeerRun inspect_sites(HubTransport& transport) {
    try {
      Inspection found = driftless::inspect(
          config_, {.progress = options_.progress, .stop_token = options_.stop_token, .transport = &transport});
      audit_.record("inspected", {{"interrupted", found.interrupted ? "yes" : "no"}});
      hub_.wait_for_finish(config_.network.grace, options_.stop_token);
      const std::optional<ErrorKind> interruption =
          found.interrupted ? driftless::failure_of(options_.stop_token.signal()) : std::nullopt;
      return {.results = folder_.results(), .inspection = std::move(found), .failure = interruption};
    } catch (const Error& error) {
      audit_.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
      throw;
    }
  }

  PeerRun serve_finished_run() {
    log_info("the run is finished; its results are in " + folder_.results().string());
    audit_.record("resumed", {{"text", "the run was finished before"}});
    hub_.wait_for_finish(config_.network.grace, options_.stop_token);
    return {.results = folder_.results()};
  }

  const ServeOptions& options_;
  const RunConfig config_;
  const std::string digest_;
  PeerFolder& folder_;
  const std::string run_;
  AuditLog audit_;
  Journal journal_;
  KeyBoard keys_;
  Hub hub_;
  GrpcServer server_;
};

}  // namespace

ServedConfig served_config(const ServeOptions& options) {
  RunConfig config = read_served(options, Paths::as_written);
  require_sites(config);
  std::string text = offered_text(options, config);
  const std::string usual = config.output.name + (options.inspect ? "-inspect-server" : "-server");
  return {.config = std::move(config), .text = std::move(text), .folder = options.out.empty() ? usual : options.out};
}

PeerRun serve(const ServeOptions& options, const ServedConfig& served) {
  std::optional<TlsFiles> tls = chosen_tls(options.tls, options.plain, options.listen);
  if (tls) require_kind(*tls, SubjectKind::server, options.tls);
  RunConfig config = own_config(options, served.config);
  PeerFolder folder(served.folder);
  return Server(options, std::move(config), served.text, std::move(tls), folder).run();
}

}  // namespace driftless
