// gRPC writes lines of its own to standard error, one for each handshake that fails, and protocol buffers one for each
// text that is not UTF-8: a peer could fill a log with them. They are dropped unless GRPC_VERBOSITY asks for them. Only
// sources of this folder include it.
#pragma once

#include <cstdlib>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

namespace driftless::detail {

inline void quiet_grpc_log() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function([](gpr_log_func_args*) {});
  // Once: its handler is not protected against threads.
  static google::protobuf::LogHandler* const before = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(before);
}

}  // namespace driftless::detail
