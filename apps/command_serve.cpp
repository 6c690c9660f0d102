// driftless serve
#include "driftless/console/machine.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/network/hub/hub_transport.hpp"
#include "driftless/pki/certificate.hpp"

#include "apps/audit_log.hpp"
#include "apps/commands.hpp"
#include "apps/peer_folder.hpp"
#include "apps/peer_security.hpp"
#include "apps/print_plan.hpp"
#include "apps/print_results.hpp"
#include "apps/server_status.hpp"
#include "apps/signals.hpp"
#include "apps/tls_choice.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

void require_sites(const RunConfig& config) {
  if (!config.network.sites.empty()) return;
  throw ConfigError({.what = "the configuration names no sites",
                     .seen = config.network.location + ": [network] has no 'sites'",
                     .advice = "add [network] with sites = [\"north\", \"south\"], as in their certificates"});
}

// Where the sites hold all files, the server looks for none.
RunConfig own_config(const ServeRequest& request, const RunConfig& as_written) {
  return as_written.federation.split ? read_config(request.file, request.overrides) : as_written;
}

std::string open_folder(PeerFolder& folder, const std::string& configuration_digest) {
  if (const std::string run = folder.run(configuration_digest); !run.empty()) {
    log_info("continuing the run in " + folder.path().string());
    return run;
  }
  folder.begin(new_run_name(), configuration_digest);
  return folder.run(configuration_digest);
}

bool stop_asked() { return signal_seen().has_value(); }

std::string serial_of(const std::string& pem) { return pem.empty() ? "" : facts_of(pem).serial; }

// One run of the server, from opening its folder to the results.
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
        hub_(config_.clients(), seats_of(config_.network, config_.clients()), journal_, hub_options()),
        server_(hub_, server_options(std::move(text), tls)) {
    log_info(fmt::format("listening at {} for {} sites, {}",
                         request_.listen.substr(0, request_.listen.rfind(':') + 1) + std::to_string(server_.port()),
                         hub_.seats().size(), tls ? "TLS" : "plain text"));
    audit_.record("started", {{"version", program_version()},
                              {"run", run_},
                              {"configuration_sha256", digest_},
                              {"listen", request_.listen},
                              {"protection", tls ? "TLS" : "none"},
                              {"next_exchange", std::to_string(journal_.next())}});
  }

  ExitCode run() {
    StatusWriter status(hub_, run_, folder_.path());
    if (folder_.has_results() && run_is_finished(folder_.results(), config_)) return hand_out_the_end();
    // A journal may hold all that is left to do: then no site needs to come.
    if (journal_.next() == 0) hub_.wait_for_sites(request_.wait, stop_asked);
    if (const auto code = signal_seen()) {
      hub_.end(*code, {.what = "the server was stopped before the run began",
                       .seen = "a signal",
                       .advice = "start the server and the sites again: the run continues where it was"});
      return *code;
    }
    HubTransport transport(hub_);
    try {
      const Experiment experiment = run_experiment(config_, experiment_options(transport, status));
      record_results(experiment);
      hub_.let_finish(config_.network.grace, stop_asked);
      print_results(experiment, request_.format, "the same command, at the server and at every site");
      log_debug(fmt::format("rows held at the same time: {} numbers at most", hub_.most_rows_held()));
      return experiment.exit_code();
    } catch (const Error& error) {
      audit_.record("failed", {{"what", error.trouble().what}, {"seen", error.trouble().seen}});
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
                  audit_.record(call.refused.empty() ? "called" : "refused",
                                {{"call", call.call},
                                 {"site", call.site},
                                 {"address", call.address},
                                 {"certificate", serial_of(call.certificate)},
                                 {"reason", call.refused}});
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
            .on_start = {},
            .asked_to_stop = signal_seen,
            .transport = &transport,
            .own = {},
            .run = run_,
            .on_round = [&status](const std::string& label, const TraceRow& row) { status.at_round(label, row); },
            .leaves_results = true};
  }

  ExitCode hand_out_the_end() {
    log_info("the run is finished; its results are in " + folder_.results().string());
    audit_.record("resumed", {{"text", "the run was finished before"}});
    hub_.let_finish(config_.network.grace, stop_asked);
    return ExitCode::done;
  }

  void record_results(const Experiment& experiment) {
    for (const MethodOutcome& outcome : experiment.record.outcomes)
      audit_.record("result", {{"method", outcome.method.label},
                               {"stop_reason", std::string(enum_name(outcome.reason))},
                               {"rounds", std::to_string(outcome.last().round)},
                               {"model_sha256", sha256(read_input_file(experiment.record.directory /
                                                                       outcome.method.label / "model.npy"))}});
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

}  // namespace

ExitCode serve(const ServeRequest& request) {
  const RunConfig offered = read_config(request.file, request.overrides, MethodTables::needed, Paths::as_written);
  require_sites(offered);
  const std::string text = canonical_text(offered);
  const std::string out = request.out.empty() ? offered.output.name + "-server" : request.out;
  if (request.dry_run) {
    print_plan(text, short_hash(offered), request.format);
    return ExitCode::done;
  }
  if (request.status) {
    print_status(out, request.format);
    return ExitCode::done;
  }
  std::optional<TlsFiles> tls = chosen_tls(request.tls, request.plain, request.listen);
  RunConfig config = own_config(request, offered);
  PeerFolder folder(out);
  remember_signals();
  return Server(request, std::move(config), text, std::move(tls), folder).run();
}

}  // namespace driftless::app
