// gRPC writes lines of its own to standard error, one for each handshake that fails: a stranger could fill a log with
// them. They are dropped unless GRPC_VERBOSITY asks for them. Only sources of this folder include it.
#pragma once

#include <cstdlib>
#include <grpc/support/log.h>

namespace driftless::detail {

inline void quiet_grpc_log() {
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace driftless::detail
