// What both ends of a gRPC connection share. Only this folder includes it.
#pragma once

#include "driftless/transports/hub.hpp"

#include "hub.grpc.pb.h"

#include <bit>
#include <cstring>
#include <grpcpp/grpcpp.h>

namespace driftless::detail {

static_assert(std::endian::native == std::endian::little, "numbers travel as they are in memory");

inline constexpr int keepalive_ms = 10'000;
inline constexpr int most_message_bytes = 4 << 20;  // a piece of every node a site can have is well below

inline void put_values(std::span<const double> values, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

inline std::vector<double> values_of(const std::string& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

inline void fill(const Refused& refused, wire::Refusal& out) {
  out.set_what(refused.trouble.what);
  out.set_seen(refused.trouble.seen);
  out.set_advice(refused.trouble.advice);
  out.set_exit_code(static_cast<int>(refused.code));
  out.set_later(refused.later);
}

inline Refused refused_of(const wire::Refusal& refusal) {
  return {static_cast<ExitCode>(refusal.exit_code()),
          {.what = refusal.what(), .seen = refusal.seen(), .advice = refusal.advice()},
          refusal.later()};
}

}  // namespace driftless::detail
