// gRPC writes a line to standard error for each handshake that fails, and protocol buffers one for each text that is
// not UTF-8: a peer could fill a log with them. They are suppressed unless GRPC_VERBOSITY is set, except for the one
// after which gRPC aborts the process. Only sources of this folder include it.
#pragma once

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <string_view>

namespace driftless::detail {

// Allocates nothing, because the process may be out of memory.
inline void keep_reason_of_abort(gpr_log_func_args* args) {
  static thread_local std::array<char, 200> before{};  // the line before, which has the reason of a failed assertion
  const std::string_view text = args->message;
  if (text.starts_with("assertion failed"))
    std::fprintf(
        stderr,
        "error: the gRPC library ends the program\n  seen: %s (%s)\n  do:   allow it more memory and threads, as "
        "with 'ulimit -v' and 'ulimit -u'\n",
        before.data(), args->message);
  std::snprintf(before.data(), before.size(), "%s", args->message);
  for (char& c : before)
    if (c != '\0' && std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
}

inline void quiet_grpc_log() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  gpr_set_log_function(keep_reason_of_abort);
  // Once, because setting the handler is not thread-safe.
  static google::protobuf::LogHandler* const before = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(before);
}

}  // namespace driftless::detail
