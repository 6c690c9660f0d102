// The server of a federation: it meets the sites over gRPC and runs a configuration with them. The same call with the
// same folder continues a run that was interrupted. docs/federation.md.
#pragma once

#include "driftless/experiments/experiment_options.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/peers/peer_run.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace driftless {

struct ServeOptions {
  std::string file;                    // the configuration, with a table [network]
  std::string text = {};               // instead of a file
  std::vector<std::string> overrides;  // key=value, on top of the file
  std::string listen = "127.0.0.1:7443";
  std::string tls;  // a folder of certificates
  bool plain = false;
  std::string out;                                        // the folder of the server; empty: NAME-server
  double wait = 600.0;                                    // seconds for all sites to join
  double latency = 0.0;                                   // seconds to a site and back, at most, over a relay
  std::uint64_t journal_bytes = std::uint64_t{64} << 20;  // at which a file of the journal is closed
  bool inspect = false;                                   // measure and try methods instead of running those configured
  bool progress = false;
  StopToken stop_token = {};
  ExitCodeMap exit_code = {};
  std::function<void(const std::string& address)> on_listen = {};  // "HOST:PORT", once sites can join
  std::function<void(const std::string& label, const TraceRow&)> on_round = {};
};

// The configuration as sites get it.
struct ServedConfig {
  RunConfig config;
  std::string text;
  std::string folder;  // of the server
};
// ConfigError where it names no sites.
ServedConfig served_config(const ServeOptions& options);

// Blocks until the run has ended and the sites know it. Error where the run cannot begin or continue.
PeerRun serve(const ServeOptions& options, const ServedConfig& served);

}  // namespace driftless
