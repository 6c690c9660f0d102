// driftless join
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/network/grpc/grpc_site.hpp"

#include "apps/network/peer_folder.hpp"
#include "apps/network/peer_security.hpp"
#include "apps/network/policy_check.hpp"
#include "apps/network/run_audit.hpp"
#include "apps/network/site_arguments.hpp"
#include "apps/network/site_demands.hpp"
#include "apps/network/site_offer_check.hpp"
#include "apps/network/tls_arguments.hpp"
#include "apps/network_program.hpp"
#include "apps/run_results.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct JoinRequest : SiteRequest {
  std::size_t threads = 0;
  double wait = 20.0;
  double grace = 60.0;
  bool dry_run = false;
};

// What is asked for, before anything is done.
void log_offer(const SiteOffer& offer, const RunConfig& config) {
  for (const std::string& demand : demands_of(offer, config)) log_info(demand);
}

// The server hears why this site does not take part, and waits for it: its operator may change the policy.
void agree_or_decline(const StatedPolicy& policy, const SiteOffer& offer, const RunConfig& config, GrpcSite& site,
                      const PeerFolder& folder) {
  try {
    require_allowed(policy, config);
  } catch (const Error& error) {
    const bool told = site.decline(error.info());
    AuditLog(folder.audit_file())
        .record("declined", {{"site", offer.site},
                             {"run", offer.run},
                             {"configuration_sha256", sha256(offer.configuration)},
                             {"what", error.info().what},
                             {"seen", error.info().seen},
                             {"server", told ? "was told" : "could not be told"}});
    throw;
  }
}

// The files of the clients hosted here must exist on this machine; those of others need not.
RunConfig own_config(const JoinRequest& request, const SiteOffer& offer) {
  RunConfig config = config_of(offer);
  if (config.federation.split) config = config_of(offer, Paths::resolved);
  if (request.data.empty() && !config.federation.files.empty())
    for (const ClientId id : offer.layout.hosted) {
      config.federation.files[id] = find_data(config.federation.files[id]).string();
      log_info("the server's configuration names a file of this machine: " + config.federation.files[id]);
    }
  config.federation.threads = request.threads;
  return config;
}

void enter_folder(PeerFolder& folder, const SiteOffer& offer, const std::string& digest) {
  const std::string here = folder.run(digest);
  if (here.empty()) return folder.begin(offer.run, digest);
  if (here != offer.run)
    throw ConfigError({.what = "the folder holds another run than the one the server offers",
                       .seen = "--out: " + folder.path().string() + ": run " + here + ", the server's is " + offer.run,
                       .advice = "give a new folder with --out DIR"});
  log_info("continuing in " + folder.path().string());
}

void record_data(AuditLog& audit, const Problem& problem) {
  for (const DataSource& data : problem.data)
    audit.record("data", {{"name", data.name}, {"sha256", data.digest}, {"rows", std::to_string(data.rows)}});
}

ExitCode take_part_in_inspection(const JoinRequest& request, const StatedPolicy& policy, GrpcSite& site,
                                 const RunConfig& config, AuditLog& audit) {
  try {
    const Inspection found = inspect(
        config,
        {.progress = progress_wanted(), .transport = &site, .own = site_data(policy, request.data)});
    audit.record("finished", {});
    site.finish();
    log_info("the inspection is finished; its result is at the server");
    return found.interrupted ? ExitCode::interrupted : ExitCode::done;
  } catch (const Error& error) {
    audit.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
    throw;
  }
}

ExitCode take_part(const JoinRequest& request, const StatedPolicy& policy, GrpcSite& site, const SiteOffer& offer,
                   const RunConfig& config, PeerFolder& folder, AuditLog& audit) {
  try {
    const Experiment experiment = run_experiment(config, {.out = folder.results().string(),
                                                          .resume = folder.has_results(),
                                                          .progress = progress_wanted(),
                                                          .exit_code = exit_number_of,
                                                          .transport = &site,
                                                          .own = site_data(policy, request.data),
                                                          .run = offer.run,
                                                          .leaves_results = true});
    record_data(audit, experiment.problem);
    record_results(audit, experiment);
    audit.record("finished", {});
    site.finish();  // last: afterwards the server may end, and a restart would not find it
    print_peer_results(experiment, request.format);
    return exit_code_of(experiment.failure);
  } catch (const CheckpointNeeded& needed) {
    log_info("the server lost its last totals; continuing from the checkpoint of this site");
    audit.record("resumed", {{"what", needed.info().what}, {"seen", needed.info().seen}});
    become_network_program();  // the same command again
  } catch (const Error& error) {
    audit.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
    throw;
  }
}

ExitCode join_run(const JoinRequest& request) {
  address_of(request.address);
  const StatedPolicy policy = read_policy(request.policy);
  const std::optional<TlsFiles> tls = chosen_tls(request.tls, request.plain, request.address);
  if (tls) require_kind(*tls, SubjectKind::site, request.tls);
  if (!tls && request.site.empty())
    throw ConfigError({.what = "without certificates a site must say who it is",
                       .seen = "--plain without --site",
                       .advice = "give --site NAME"});
  std::unique_ptr<AuditLog> audit;
  const auto note = [&audit](const std::string& text) {
    log_info(text);
    if (audit) audit->record("connection", {{"text", text}});
  };
  GrpcSite site({.address = request.address,
                 .tls = tls ? std::optional(texts_of(*tls)) : std::nullopt,
                 .version = program_version(),
                 .site = own_name(request.site, tls),
                 .check_certificate = certificate_check(request.tls, tls, "server", note),
                 .first_contact = request.wait,
                 .grace = request.grace,
                 .on_event = note});
  const SiteOffer offer = site.query_offer();
  const RunConfig offered = config_of(offer);
  require_fitting_layout(offer, offered);
  log_offer(offer, offered);
  if (request.dry_run) {
    print_configuration(shown_configuration(offer), short_hash(offered), request.format);
    require_allowed(policy, offered);
    return ExitCode::done;
  }
  const std::string digest = sha256(offer.configuration);
  PeerFolder folder(request.out.empty() ? "site-" + offer.site : request.out);
  agree_or_decline(policy, offer, offered, site, folder);
  const RunConfig config = own_config(request, offer);
  enter_folder(folder, offer, digest);
  audit = std::make_unique<AuditLog>(folder.audit_file());
  audit->record("started", {{"version", program_version()},
                            {"server", request.address},
                            {"site", offer.site},
                            {"run", offer.run},
                            {"configuration_sha256", digest},
                            {"methods", methods_of(offered)},
                            {"policy", policy.text()}});
  site.accept(offer, digest);
  if (folder.has_results() && run_is_finished(folder.results(), config)) {
    site.report_finished();  // a server that was started again may wait for it
    log_info("the run is finished, nothing is left to do: " + folder.path().string());
    return ExitCode::done;
  }
  if (config.inspect.over_network) return take_part_in_inspection(request, policy, site, config, *audit);
  return take_part(request, policy, site, offer, config, folder, *audit);
}

}  // namespace

void declare_join(CLI::App& command, Action& action) {
  const auto request = std::make_shared<JoinRequest>();
  add_site_arguments(command, *request);
  command.add_option("--out", request->out, "the folder of the run; site-NAME if not given. The same again continues")
      ->type_name("DIR");
  command.add_option("--threads", request->threads, "threads; 0 = one per core")->capture_default_str();
  command.add_option("--wait", request->wait, "seconds to reach the server at first")->capture_default_str();
  command.add_option("--grace", request->grace, "seconds to reach it again after a break")->capture_default_str();
  command.add_flag("--dry-run", request->dry_run, "print what the server would have this site run and stop");
  add_format(command, request->format);
  command.footer("Example:\n  driftless join server.example:7443 --tls north --data north.svm");
  command.callback([&action, request] { action = [request] { return join_run(*request); }; });
}

}  // namespace driftless::app
