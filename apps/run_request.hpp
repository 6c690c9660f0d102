// The request of `driftless run`, and how transports other than the in-process one run it.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/federation/transport.hpp"

#include "apps/command_line.hpp"

#include <array>
#include <string_view>

namespace driftless::app {

// The available transports, the default first; run_over has a branch for each of the others.
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
  std::string save;                // what `auto` is to save; empty: as configured
  std::optional<int> live;         // port of the page that shows the run; 0: any free one
  Format format = Format::text;
};

// This process as one of several peers.
struct Peer {
  Transport* transport = nullptr;  // to the other peers; null: there are none
  std::size_t threads = 0;         // where the configuration leaves it open; 0: one per core
};

// Runs the methods; rank 0 writes and prints the results.
ExitCode run_peer(const RunRequest& request, const RunConfig& config, const Peer& peer);

// Runs with the chosen transport, in driftless-net. ConfigError where this build does not have it.
ExitCode run_over(const RunRequest& request);

}  // namespace driftless::app
