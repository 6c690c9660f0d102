// A site of a federation: it works for a server on data, or on functions, of its own. The same call with the same
// folder continues a run that was interrupted. docs/federation.md.
#pragma once

#include "driftless/experiments/experiment_options.hpp"
#include "driftless/network/grpc/grpc_site.hpp"
#include "driftless/peers/audit_log.hpp"
#include "driftless/peers/peer_folder.hpp"
#include "driftless/peers/peer_run.hpp"
#include "driftless/peers/peer_security.hpp"
#include "driftless/peers/site_policy.hpp"

#include <functional>
#include <string>
#include <vector>

namespace driftless {

struct JoinOptions {
  std::string address;  // HOST:PORT
  std::string tls;      // a folder of certificates
  bool plain = false;
  std::string site;                // who this is, without certificates
  std::vector<std::string> files;  // the data of this site, one file for each client that it hosts
  std::vector<Dataset> sets;       // or their rows
  std::vector<OwnClient> clients;  // or functions, for problems of kind "own"
  StatedPolicy policy;
  std::string out;          // the folder of the site; empty: site-NAME
  std::size_t threads = 0;  // 0: one per core
  double wait = 20.0;       // seconds to reach the server at first
  double grace = 60.0;      // seconds to reach it again after a break
  double latency = 0.0;     // seconds to the server and back, at most, over a relay
  bool progress = false;
  StopToken stop_token = {};  // leaves the run, which continues when the site joins again
  ExitCodeMap exit_code = {};
  std::function<void(const std::string& label, const TraceRow&)> on_round = {};
};

// The first contact with a server: what it asks this site for.
class SiteMeeting {
 public:
  // Error where the server cannot be reached, rejects this site, or contradicts itself.
  explicit SiteMeeting(const JoinOptions& options);

  const SiteOffer& offer() const { return offer_; }
  const RunConfig& offered() const { return offered_; }

  // Takes part until the run has ended. CheckpointNeeded where the site has to join again.
  PeerRun run();

 private:
  void report(const std::string& text) const;
  void agree_or_decline(const PeerFolder& folder);
  RunConfig own_config() const;
  SiteData own_data() const;
  PeerRun take_part_in_inspection(const RunConfig& config, AuditLog& audit);
  PeerRun take_part(const RunConfig& config, const PeerFolder& folder, AuditLog& audit);

  const JoinOptions& options_;
  std::optional<TlsFiles> tls_;
  AuditLog* audit_ = nullptr;  // once there is one
  GrpcSite site_;
  SiteOffer offer_;
  RunConfig offered_;
};

// Meets the server and takes part; again where the server lost totals that this site relied on.
PeerRun join(const JoinOptions& options);

}  // namespace driftless
