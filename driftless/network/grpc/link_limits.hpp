// What both ends of a connection agree on: how often each checks that the other one is still reachable, and what a
// relay that carries the connection needs.
#pragma once

#include <grpcpp/grpcpp.h>

namespace driftless::detail {

// TLS and the settings of HTTP/2 take three round trips, each of which may take as long as the latency.
constexpr double handshake_round_trips = 3.0;

inline int milliseconds(double seconds) { return static_cast<int>(seconds * 1000.0); }
inline int keepalive_ms(double latency) { return milliseconds(10.0 + latency); }
inline int handshake_ms(double seconds, double latency) {
  return milliseconds(seconds + handshake_round_trips * latency);
}

// set(name, value) of the arguments of a channel. With a latency a sender need not wait until the receiver has read,
// and no message is sent only to measure the link.
template <class Set>
void set_limits_of_link(double latency, Set&& set) {
  constexpr int ahead = 64 << 20;  // bytes under way
  set(GRPC_ARG_KEEPALIVE_TIME_MS, keepalive_ms(latency));
  set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, keepalive_ms(latency));
  if (latency == 0.0) return;
  set(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, ahead);
  set(GRPC_ARG_HTTP2_BDP_PROBE, 0);
}

// A relay that sees ciphertext knows only sizes. What HTTP/2 says by itself is shorter than a message that somebody
// waits for, if that is padded.
inline constexpr std::size_t least_relayed_bytes = 200;
template <class Message>
bool needs_padding(const Message& message, double latency) {
  return latency > 0.0 && message.ByteSizeLong() < least_relayed_bytes;
}
template <class Message>
void pad(Message& message, double latency) {
  if (needs_padding(message, latency)) message.mutable_padding()->resize(least_relayed_bytes);
}

}  // namespace driftless::detail
