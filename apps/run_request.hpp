// What `driftless run` was asked for, and how a transport other than the in-process one runs it.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/federation/transport.hpp"

#include "apps/command_line.hpp"

#include <array>
#include <string_view>

namespace driftless::app {

// The transports to choose from, the default first; run_over has a branch for each of the others.
struct TransportChoice {
  std::string_view name;
  std::string_view help;
};
inline constexpr std::array transport_choices{
    TransportChoice{"solo", "solo, all clients in this process, which is the default"},
    TransportChoice{"mpi", "mpi, as one of the ranks that mpirun starts"}};

struct RunRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string out;
  bool dry_run = false;
  std::string transport{transport_choices.front().name};
  std::vector<std::string> links;  // networks to replay the run on
  std::optional<int> live;         // port of the page that shows the run; 0: any free one
  Format format = Format::text;
};

// This process as one of several peers.
struct Peer {
  Transport* transport = nullptr;  // to the others; none: there are none
  std::size_t threads = 0;         // where the configuration leaves it open; 0: one per core
};

// Runs the methods; rank 0 leaves the results and prints them.
ExitCode run_peer(const RunRequest& request, const RunConfig& config, const Peer& peer);

// With the transport that was chosen, in driftless-net. ConfigError where the build does not have it.
ExitCode run_over(const RunRequest& request);

}  // namespace driftless::app
