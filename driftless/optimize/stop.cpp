#include "driftless/optimize/stop.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// How many of the last rows are well above the start.
std::size_t rows_above_start(const std::vector<TraceRow>& rows) {
  const double start = rows.front().f;
  const double height = start + 2.0 * std::max(1.0, std::abs(start));
  const auto below = std::find_if(rows.rbegin(), rows.rend(), [&](const TraceRow& row) { return !(row.f > height); });
  return static_cast<std::size_t>(below - rows.rbegin());
}

// The mean of f − f(x⁰) over the later half of the last `count` rows, divided by that over the earlier half.
double fraction_left(const std::vector<TraceRow>& rows, std::size_t count) {
  const std::size_t half = count / 2;
  if (half == 0) return 1.0;
  const auto mean_before = [&](std::size_t end) {
    double sum = 0.0;
    for (std::size_t k = end - half; k < end; ++k) sum += (rows[k].f - rows.front().f) / static_cast<double>(half);
    return sum;
  };
  return mean_before(rows.size()) / mean_before(rows.size() - count + half);
}

}  // namespace

std::string_view reason_text(StopReason reason) {
  switch (reason) {
    case StopReason::none: return "still under way";
    case StopReason::rounds: return "limit of rounds";
    case StopReason::grad_norm: return "gradient norm reached";
    case StopReason::gap: return "gap reached";
    case StopReason::exchanges: return "limit of exchanges";
    case StopReason::bytes: return "limit of bytes";
    case StopReason::seconds: return "limit of seconds";
    case StopReason::grad_evals: return "limit of gradient evaluations";
    case StopReason::diverged: return "diverged";
    case StopReason::interrupted: return "interrupted";
  }
  return "";
}

StopReason reason_of(StopSignal signal) {
  switch (signal) {
    case StopSignal::none: return StopReason::none;
    case StopSignal::time_over:
    case StopSignal::time_over_in_round: return StopReason::seconds;
    case StopSignal::work_over_in_round: return StopReason::grad_evals;
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

StopReason StopConditions::by_quality(const TraceRow& first, const TraceRow& row) const {
  if (grad_norm && row.grad_norm <= *grad_norm) return StopReason::grad_norm;
  if (grad_norm_relative && std::isfinite(row.grad_norm) && row.grad_norm <= *grad_norm_relative * first.grad_norm)
    return StopReason::grad_norm;
  if (gap && row.f_gap && *row.f_gap <= *gap) return StopReason::gap;
  return StopReason::none;
}

bool beyond_bounds(const TraceRow& first, const TraceRow& now) {
  if (!std::isfinite(now.f) || !std::isfinite(now.grad_norm)) return true;
  constexpr double factor = 1e10;
  return now.grad_norm > factor * std::max(1.0, first.grad_norm) ||
         now.f - first.f > factor * std::max(1.0, std::abs(first.f));
}

bool stays_above_start(const std::vector<TraceRow>& rows) {
  // A method that recovers slowly must not be cut off, while one that diverges may well work a little longer.
  constexpr std::size_t patience = 50;
  const std::size_t above = rows_above_start(rows);
  return above >= patience && fraction_left(rows, above) >= 1.0;
}

bool ended_above_start(const std::vector<TraceRow>& rows) {
  const std::size_t above = rows_above_start(rows);
  return above > 0 && fraction_left(rows, above) > 0.9;
}

}  // namespace driftless
