// What a run is asked for besides its configuration.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/link.hpp"
#include "driftless/core/stop_token.hpp"
#include "driftless/federation/transport.hpp"
#include "driftless/optimize/trace.hpp"
#include "driftless/problems/make_problem.hpp"

#include <filesystem>
#include <functional>

namespace driftless {

// The number that run.json records for how a run ended; `failure` is none where every method ended by itself.
using ExitCodeMap = std::function<int(std::optional<ErrorKind> failure)>;

struct ExperimentOptions {
  std::string out;      // exactly this directory; empty: a new one in output.dir
  bool resume = false;  // `out` holds a run of this configuration, which is continued
  bool progress = false;
  std::vector<Link> links;  // also report the time that the run would have taken on these
  std::function<void(const std::filesystem::path&)> on_start = {};  // called with the run directory before the methods
  // Polled after every round. Where there are several peers, that of rank 0 decides.
  StopToken stop_token = {};
  ExitCodeMap exit_code = {};      // without it run.json records none
  Transport* transport = nullptr;  // to the other peers; none: this process hosts every client
  SiteData own;                    // what this peer contributes
  std::size_t threads = 0;         // where federation.threads is 0; 0: one per core
  std::string run = {};            // identifies a run of several peers over restarts; checkpoints belong to it
  // Called with the counts of a method after each of its rounds.
  std::function<void(const std::string& label, const TraceRow&)> on_round = {};
  bool saves = true;           // writes checkpoints beside the results; useless where the other peers write none
  bool leaves_results = true;  // false: another peer's run directory is enough
};

}  // namespace driftless
