// A run as one of its peers.
#pragma once

#include "driftless/experiments/run_config.hpp"

#include "apps/commands.hpp"

namespace driftless {
class Transport;
}

namespace driftless::app {

struct Peer {
  Transport* transport = nullptr;  // to the others; none: there are none
  std::size_t threads = 0;         // where the configuration leaves it open; 0: one per core
};

// Runs the methods; the peer that speaks for all leaves the results and tells of them.
ExitCode run_peer(const RunRequest& request, const RunConfig& config, const Peer& peer);

// As one rank of those that mpirun started. ConfigError in a build without MPI.
ExitCode run_over_mpi(const RunRequest& request);

}  // namespace driftless::app
