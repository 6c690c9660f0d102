// driftless preflight
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/data/column_count.hpp"
#include "driftless/data/find_data.hpp"
#include "driftless/data/libsvm/binary_labels.hpp"
#include "driftless/data/libsvm/libsvm_reader.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/network/grpc/grpc_site.hpp"
#include "driftless/peers/peer_security.hpp"
#include "driftless/peers/policy_check.hpp"
#include "driftless/peers/site_demands.hpp"
#include "driftless/peers/site_offer_check.hpp"
#include "driftless/pki/shown_certificate.hpp"

#include "apps/network/contact.hpp"
#include "apps/network/site_arguments.hpp"
#include "apps/network/table_preflight.hpp"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct Check {
  std::string name;
  bool good = true;
  std::string text;
  ExitCode code = ExitCode::done;
};

constexpr double contact_seconds = 5.0;

// Each check returns its finding or fails; checks that depend on a failed one are skipped.
class Preflight {
 public:
  explicit Preflight(const SiteRequest& request) : request_(request) {}

  std::vector<Check> run() {
    if (!request_.plain) check("certificates", [&] { return certificates(); });
    check("address", [&] { return address(); });
    if (tls_ && contact_.is_open()) check("server's certificate", [&] { return server_certificate(); });
    if (all_good()) check("server", [&] { return server(); });
    if (offer_) {
      check("clock", [&] { return clock(); });
      check("policy", [&] { return policy(); });
      check("data", [&] { return data(); });
    }
    if (facts_) check("agreement", [&] { return agreement(); });
    check("disk", [&] { return disk(); });
    return std::move(checks_);
  }

 private:
  template <class Body>
  void check(const std::string& name, Body&& body) {
    try {
      checks_.push_back({.name = name, .text = body()});
    } catch (const Error& error) {
      checks_.push_back({.name = name, .good = false, .text = error.what(), .code = exit_code_of(error.kind())});
    }
  }
  bool all_good() const { return std::ranges::all_of(checks_, &Check::good); }

  std::string certificates() {
    tls_ = chosen_tls(request_.tls, false, request_.address);
    require_kind(*tls_, SubjectKind::site, request_.tls);
    const CertificateFacts facts = facts_of(tls_->certificate, request_.tls);
    return fmt::format("'{}', valid until {}", facts.name, utc_text(facts.not_after));
  }

  std::string address() {
    contact_ = connect_to(address_of(request_.address), contact_seconds);
    return request_.address + " answers";
  }

  // gRPC would only say that there is no connection.
  std::string server_certificate() {
    const std::optional<std::string> shown = shown_certificate(contact_.descriptor(), *tls_);
    if (!shown)
      fail("the server shows no certificate", request_.address,
           "make sure that this is the port of 'driftless serve', started with --tls");
    if (const std::optional<std::string> reason = check_peer(*shown, *tls_))
      fail("the certificate of the server is not accepted", *reason,
           "get the certificates of the server and of this site from the same CA: 'driftless pki issue'");
    return fmt::format("'{}'", facts_of(*shown, request_.address).name);
  }

  std::string server() {
    site_.emplace(GrpcSiteOptions{.address = request_.address,
                                  .tls = tls_ ? std::optional(texts_of(*tls_)) : std::nullopt,
                                  .version = program_version(),
                                  .site = own_name(request_.site, tls_),
                                  .check_certificate = certificate_check(request_.tls, tls_, "server", {}),
                                  .first_contact = contact_seconds});
    offer_ = site_->query_offer();
    config_ = config_of(*offer_);
    require_fitting_layout(*offer_, config_);
    return fmt::format("expects site '{}', which hosts {} of {} clients", offer_->site, offer_->layout.hosted.size(),
                       offer_->layout.clients);
  }

  std::string clock() const {
    constexpr double allowed = 120.0;
    if (std::abs(offer_->clock_ahead) > allowed)
      fail("the clocks of server and site differ", fmt::format("the server's is {:.0f} s ahead", offer_->clock_ahead),
           "set both by a time server: certificates may seem expired or not yet valid");
    return fmt::format("within {:.1f} s of the server's", std::abs(offer_->clock_ahead));
  }

  std::string policy() {
    policy_ = read_policy(request_.policy);
    for (const std::string& demand : demands_of(*offer_, config_)) log_info(demand);
    require_allowed(policy_, config_);
    const std::string stated = policy_.text();
    return stated.empty() ? "none; whatever the server asks is allowed" : "allows what the server asks: " + stated;
  }

  // What belongs to this site, with one file for each client that it hosts.
  SiteData own_data() const {
    SiteData own = site_data(policy_, request_.data);
    if (own.files.empty() && !config_.federation.files.empty())
      for (const ClientId id : offer_->layout.hosted) own.files.push_back(find_data(config_.federation.files[id]));
    if (own.files.size() != offer_->layout.hosted.size())
      throw ConfigError({.what = "a site needs one data file for each client it hosts",
                         .seen = fmt::format("{} files, {} clients", own.files.size(), offer_->layout.hosted.size()),
                         .advice = "give --data once for each client"});
    return own;
  }

  std::string data() {
    const GlmSetup* tables = config_.problem.spec->tables();
    const std::optional<LibsvmOptions> reading = config_.problem.spec->client_file_options();
    if ((tables == nullptr && !reading) || config_.federation.split)
      return "the configuration says where they come from";
    const SiteData own = own_data();
    if (tables == nullptr) return libsvm_data(own, *reading);
    TableFindings found = check_tables(*tables, own);
    facts_ = std::move(found.facts);
    return found.text;
  }

  std::string libsvm_data(const SiteData& own, const LibsvmOptions& reading) {
    SiteFacts facts;
    for (const Dataset& set : read_libsvm_files(own.files, {.dim = reading.dim, .labels = Labels::real})) {
      own.require_rows(set.name, set.rows());
      facts.rows += set.rows();
      facts.columns = std::max(facts.columns, static_cast<std::size_t>(set.dim));
      for (const double label : set.label_values)
        if (facts.labels.size() < 8 && std::ranges::count(facts.labels, label) == 0) facts.labels.push_back(label);
    }
    facts_ = facts;
    return fmt::format("{} rows, {} columns", facts.rows, facts.columns);
  }

  std::string agreement() {
    const SiteComparison comparison = site_->compare(*facts_);
    LabelTable labels;
    std::vector<ColumnCount> counts;
    for (const SiteFacts& site : comparison.known) {
      counts.push_back({.owner = "site " + site.site, .columns = static_cast<Index>(site.columns)});
      for (const double label : site.labels) labels.add(label, "site " + site.site);
    }
    if (const GlmSetup* tables = config_.problem.spec->tables()) {
      require_two_classes(*tables, comparison);
    } else {
      const std::optional<LibsvmOptions> reading = config_.problem.spec->client_file_options();
      if (reading->labels == Labels::binary && !reading->positive_label) positive_label(labels);
      if (!reading->dim) require_equal_columns(counts);
    }
    const std::string missing = comparison.unknown.empty() ? "" : "; not reported yet: " + join(comparison.unknown);
    return fmt::format("{} columns at {} sites{}", facts_->columns, counts.size(), missing);
  }

  std::string disk() const {
    constexpr double least = 100e6;
    const std::filesystem::path folder = request_.out.empty() ? "." : request_.out;
    std::error_code error;
    const auto space = std::filesystem::space(std::filesystem::exists(folder) ? folder : ".", error);
    const double free = error ? 0.0 : static_cast<double>(space.available);
    if (free < least)
      throw DataError({.what = "the disk is almost full",
                       .seen = fmt::format("{}: {:.0f} MB", folder.string(), free / 1e6),
                       .advice = "free space for the checkpoints, or give another folder with --out"});
    return fmt::format("{:.1f} GB free", free / 1e9);
  }

  [[noreturn]] static void fail(std::string what, std::string seen, std::string advice) {
    throw TransportError({.what = std::move(what), .seen = std::move(seen), .advice = std::move(advice)});
  }

  const SiteRequest& request_;
  std::vector<Check> checks_;
  std::optional<TlsFiles> tls_;
  Socket contact_;
  std::optional<GrpcSite> site_;
  std::optional<SiteOffer> offer_;
  RunConfig config_;
  StatedPolicy policy_;
  std::optional<SiteFacts> facts_;
};

void print(const std::vector<Check>& checks, Format format, bool good) {
  if (format == Format::json) {
    nlohmann::ordered_json json{{"schema_version", 1}, {"good", good}, {"checks", nlohmann::ordered_json::array()}};
    for (const Check& c : checks) json["checks"].push_back({{"name", c.name}, {"good", c.good}, {"text", c.text}});
    return fmt::print("{}\n", json.dump(2));
  }
  for (const Check& c : checks) fmt::print("{:<13} {:<6} {}\n", c.name, c.good ? "good" : "FAILED", c.text);
}

ExitCode preflight(const SiteRequest& request) {
  if (request.plain) chosen_tls(request.tls, true, request.address);
  const std::vector<Check> checks = Preflight(request).run();
  const auto failed = std::ranges::find(checks, false, &Check::good);
  print(checks, request.format, failed == checks.end());
  return failed == checks.end() ? ExitCode::done : failed->code;
}

}  // namespace

void declare_preflight(CLI::App& command, Action& action) {
  const auto request = std::make_shared<SiteRequest>();
  add_site_arguments(command, *request);
  command.add_option("--out", request->out, "the folder that the run will use")->type_name("DIR");
  add_format(command, request->format);
  command.footer("Example:\n  driftless preflight server.example:7443 --tls north --data north.svm");
  command.callback([&action, request] { action = [request] { return preflight(*request); }; });
}

}  // namespace driftless::app
