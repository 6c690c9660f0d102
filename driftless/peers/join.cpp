#include "driftless/peers/join.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/experiments/inspection.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/peers/address.hpp"
#include "driftless/peers/policy_check.hpp"
#include "driftless/peers/run_audit.hpp"
#include "driftless/peers/site_demands.hpp"
#include "driftless/peers/site_masks.hpp"
#include "driftless/peers/site_offer_check.hpp"

namespace driftless {
namespace {

std::optional<TlsFiles> tls_of_site(const JoinOptions& options) {
  address_of(options.address);
  std::optional<TlsFiles> tls = chosen_tls(options.tls, options.plain, options.address);
  if (tls) require_kind(*tls, SubjectKind::site, options.tls);
  if (!tls && options.site.empty())
    throw ConfigError({.what = "without certificates a site must say who it is",
                       .seen = "--plain without --site",
                       .advice = "give --site NAME"});
  return tls;
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

}  // namespace

SiteMeeting::SiteMeeting(const JoinOptions& options)
    : options_(options),
      tls_(tls_of_site(options)),
      site_({.address = options.address,
             .tls = tls_ ? std::optional(texts_of(*tls_)) : std::nullopt,
             .version = program_version(),
             .site = own_name(options.site, tls_),
             .check_certificate =
                 certificate_check(options.tls, tls_, "server", [this](const std::string& text) { report(text); }),
             .first_contact = options.wait,
             .grace = options.grace,
             .latency = options.latency,
             .on_event = [this](const std::string& text) { report(text); },
             .stop_token = options.stop_token}),
      offer_(site_.query_offer()),
      offered_(config_of(offer_)) {
  require_fitting_layout(offer_, offered_);
  for (const std::string& demand : demands_of(offer_, offered_)) log_info(demand);
}

void SiteMeeting::report(const std::string& text) const {
  log_info(text);
  if (audit_ != nullptr) audit_->record("connection", {{"text", text}});
}

PeerRun SiteMeeting::run() {
  const std::string digest = sha256(offer_.configuration);
  PeerFolder folder(options_.out.empty() ? "site-" + offer_.site : options_.out);
  agree_or_decline(folder);
  const RunConfig config = own_config();
  enter_folder(folder, offer_, digest);
  AuditLog audit(folder.audit_file());
  struct Attach {
    AuditLog*& to;
    ~Attach() { to = nullptr; }
  } const attached{audit_ = &audit};
  audit.record("started", {{"version", program_version()},
                           {"server", options_.address},
                           {"site", offer_.site},
                           {"run", offer_.run},
                           {"configuration_sha256", digest},
                           {"methods", methods_of(offered_)},
                           {"policy", options_.policy.text()}});
  site_.accept(offer_, digest);
  if (config.network.secure_sum)
    site_.mask_rows(masks_of_site(offer_, config, tls_, folder.path()), clients_of_sites(config),
                    config.network.least_sites);
  if (folder.has_results() && run_is_finished(folder.results(), config, options_.exit_code)) {
    site_.report_finished();  // a server that was started again may wait for it
    log_info("the run is finished, nothing is left to do: " + folder.path().string());
    return {.results = folder.results()};
  }
  if (config.inspect.over_network) return take_part_in_inspection(config, audit);
  return take_part(config, folder, audit);
}

// The server hears why this site does not take part, and waits for it: its operator may change the policy.
void SiteMeeting::agree_or_decline(const PeerFolder& folder) {
  try {
    require_allowed(options_.policy, offered_);
  } catch (const Error& error) {
    const bool told = site_.decline(error.info());
    AuditLog(folder.audit_file())
        .record("declined", {{"site", offer_.site},
                             {"run", offer_.run},
                             {"configuration_sha256", sha256(offer_.configuration)},
                             {"what", error.info().what},
                             {"seen", error.info().seen},
                             {"server", told ? "was told" : "could not be told"}});
    throw;
  }
}

// The files of the clients hosted here must exist on this machine; those of others need not.
RunConfig SiteMeeting::own_config() const {
  RunConfig config = config_of(offer_);
  if (config.federation.split) config = config_of(offer_, Paths::resolved);
  if (options_.files.empty() && options_.sets.empty() && !config.federation.files.empty())
    for (const ClientId id : offer_.layout.hosted) {
      config.federation.files[id] = find_data(config.federation.files[id]).string();
      log_info("the server's configuration names a file of this machine: " + config.federation.files[id]);
    }
  config.federation.threads = options_.threads;
  return config;
}

SiteData SiteMeeting::own_data() const {
  SiteData own = site_data(options_.policy, options_.files);
  own.sets = options_.sets;
  own.clients = options_.clients;
  return own;
}

PeerRun SiteMeeting::take_part_in_inspection(const RunConfig& config, AuditLog& audit) {
  try {
    Inspection found = inspect(config, {.progress = options_.progress, .transport = &site_, .own = own_data()});
    audit.record("finished", {});
    site_.finish();
    log_info("the inspection is finished; its result is at the server");
    const auto interruption = found.interrupted ? std::optional(ErrorKind::interrupted) : std::nullopt;
    return {.inspection = std::move(found), .failure = interruption};
  } catch (const Error& error) {
    audit.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
    throw;
  }
}

PeerRun SiteMeeting::take_part(const RunConfig& config, const PeerFolder& folder, AuditLog& audit) {
  try {
    Experiment experiment = run_experiment(config, {.out = folder.results().string(),
                                                    .resume = folder.has_results(),
                                                    .progress = options_.progress,
                                                    .exit_code = options_.exit_code,
                                                    .transport = &site_,
                                                    .own = own_data(),
                                                    .run = offer_.run,
                                                    .on_round = options_.on_round,
                                                    .leaves_results = true});
    record_data(audit, experiment.problem);
    record_results(audit, experiment);
    audit.record("finished", {});
    site_.finish();  // last: afterwards the server may end, and a restart would not find it
    const std::optional<ErrorKind> failure = experiment.failure;
    return {.results = folder.results(), .experiment = std::move(experiment), .failure = failure};
  } catch (const CheckpointNeeded& needed) {
    log_info("the server lost its last totals; continuing from the checkpoint of this site");
    audit.record("resumed", {{"what", needed.info().what}, {"seen", needed.info().seen}});
    throw;
  } catch (const Error& error) {
    audit.record("failed", {{"what", error.info().what}, {"seen", error.info().seen}});
    throw;
  } catch (const std::exception& error) {  // of a function that an embedding program brought
    audit.record("failed", {{"what", error.what()}});
    site_.abort(error.what());
    throw;
  }
}

PeerRun join(const JoinOptions& options) {
  while (true) {
    try {
      return SiteMeeting(options).run();
    } catch (const CheckpointNeeded&) {}  // the same again, from the checkpoint
  }
}

}  // namespace driftless
