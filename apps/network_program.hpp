// The verbs that communicate with other machines are in a second executable, driftless-net: gRPC, MPI and libcurl
// depend on a hundred shared libraries, which all other verbs would load in vain. `driftless` replaces its process by
// driftless-net for these verbs, and users see no difference.
#pragma once

namespace driftless::app {

// Called first in both programs.
void remember_arguments(char** argv);

// Executes driftless-net in the folder of this program with the same arguments. ConfigError if it does not exist.
[[noreturn]] void become_network_program();

}  // namespace driftless::app
