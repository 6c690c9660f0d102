#include "driftless/optimize/stop.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {

StopReason reason_of(StopSignal signal) {
  switch (signal) {
    case StopSignal::none: return StopReason::none;
    case StopSignal::time_over: return StopReason::seconds;
    case StopSignal::interrupted:
    case StopSignal::terminated: return StopReason::interrupted;
  }
  return StopReason::none;
}

StopReason StopConditions::by_count(const TraceRow& row) const {
  if (exchanges && row.exchanges >= *exchanges) return StopReason::exchanges;
  if (bytes && row.bytes_up + row.bytes_down >= *bytes) return StopReason::bytes;
  if (grad_evals && row.grad_evals >= *grad_evals) return StopReason::grad_evals;
  if (seconds && row.wall_s >= *seconds) return StopReason::seconds;
  if (rounds && row.round >= *rounds) return StopReason::rounds;
  return StopReason::none;
}

StopReason StopConditions::by_quality(const TraceRow& row) const {
  if (grad_norm && row.grad_norm <= *grad_norm) return StopReason::grad_norm;
  if (gap && row.f_gap && *row.f_gap <= *gap) return StopReason::gap;
  return StopReason::none;
}

bool diverged(const TraceRow& first, const TraceRow& now) {
  if (!std::isfinite(now.f) || !std::isfinite(now.grad_norm)) return true;
  return now.grad_norm > 1e10 * std::max(1.0, first.grad_norm);
}

}  // namespace driftless
