// The protection of a connection as given on the command line; see driftless/peers/peer_security.hpp.
#pragma once

#include "apps/command_line.hpp"

#include <string>

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& folder, bool& plain);

}  // namespace driftless::app
