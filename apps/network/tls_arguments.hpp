// The protection and the limits of a connection as given on the command line; see driftless/peers/peer_security.hpp.
#pragma once

#include "apps/command_line.hpp"

#include <string>

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& folder, bool& plain);

// For connections that a slow relay carries.
void add_latency(CLI::App& command, double& seconds);

}  // namespace driftless::app
