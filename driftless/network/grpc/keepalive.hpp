// How often both ends of a connection ask whether the other one is still there.
#pragma once

namespace driftless::detail {

inline constexpr int keepalive_ms = 10'000;

}  // namespace driftless::detail
