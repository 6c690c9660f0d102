// What talks to other machines is a program of its own, driftless-net: gRPC, MPI and libcurl bring a hundred shared
// libraries along, which everything else would load for nothing. `driftless` knows every command and hands those of the
// network over; the caller sees no difference.
#pragma once

namespace driftless::app {

// Before anything else, in both programs.
void remember_arguments(char** argv);

// Becomes driftless-net, which stands beside this program, with the same arguments. ConfigError if it is not there.
[[noreturn]] void become_network_program();

}  // namespace driftless::app
