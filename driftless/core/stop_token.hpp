// Whether a computation that is under way should end early, and why.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <utility>

namespace driftless {

// The numbers are those of the wire format and of the journal. The last two abandon the round under way; the others let
// it end.
enum class StopSignal : std::uint32_t {
  none = 0,
  time_over = 1,
  interrupted = 2,
  terminated = 3,
  time_over_in_round = 4,
  work_over_in_round = 5
};
inline constexpr StopSignal last_stop_signal = StopSignal::work_over_in_round;

inline constexpr bool abandons_round(StopSignal signal) {
  return signal == StopSignal::time_over_in_round || signal == StopSignal::work_over_in_round;
}

// Polled by long computations, between steps and from several threads: the function must be cheap and thread-safe. A
// default token never asks for a stop.
class StopToken {
 public:
  StopToken() = default;
  template <class Poll>
    requires std::is_invocable_r_v<StopSignal, const Poll&>
  StopToken(Poll poll) : poll_(std::move(poll)) {}  // NOLINT(google-explicit-constructor): any such function is a token

  StopSignal signal() const { return poll_ ? poll_() : StopSignal::none; }
  bool stop_requested() const { return signal() != StopSignal::none; }

 private:
  std::function<StopSignal()> poll_;
};

}  // namespace driftless
