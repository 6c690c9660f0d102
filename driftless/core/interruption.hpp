// The error of a computation that was stopped from outside.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/stop_token.hpp"

#include <optional>

namespace driftless {

// How a run failed that ended by this signal; none where it did not fail.
inline std::optional<ErrorKind> failure_of(StopSignal signal) {
  switch (signal) {
    case StopSignal::interrupted: return ErrorKind::interrupted;
    case StopSignal::terminated: return ErrorKind::terminated;
    case StopSignal::none:
    case StopSignal::time_over:
    case StopSignal::time_over_in_round:
    case StopSignal::work_over_in_round: break;
  }
  return std::nullopt;
}

// A run of several peers cannot agree on its last round while one of them is in the middle of a long one. It then ends
// as if it had been killed, and resumes like that: from the last checkpoint, with the same bits.
inline ErrorInfo stopped_in_a_round(const std::string& who) {
  return {.what = who + " was stopped in the middle of a round",
          .seen = "a signal",
          .advice = "start the same command again, everywhere: the run continues from its last checkpoint"};
}

}  // namespace driftless
