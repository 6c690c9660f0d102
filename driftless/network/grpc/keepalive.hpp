// How often both ends of a connection check that the other one is still reachable.
#pragma once

namespace driftless::detail {

inline constexpr int keepalive_ms = 10'000;

}  // namespace driftless::detail
