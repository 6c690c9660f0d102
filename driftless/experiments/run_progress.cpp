#include "driftless/experiments/run_progress.hpp"

#include "driftless/console/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace driftless {

using namespace detail;

namespace {

template <class Limit>
double share(const std::optional<Limit>& limit, double used) {
  return limit && *limit > 0 ? used / static_cast<double>(*limit) : 0.0;
}

double log_share(const std::optional<double>& limit, double first, double now) {
  if (!limit || !(*limit > 0.0) || !(first > *limit) || !(now > 0.0)) return 0.0;
  return std::log(first / now) / std::log(first / *limit);
}

}  // namespace

double done_part(const StopConditions& stop, const TraceRow& first, const TraceRow& now) {
  const double part = std::max(
      {share(stop.rounds, static_cast<double>(now.round)), share(stop.exchanges, static_cast<double>(now.exchanges)),
       share(stop.bytes, static_cast<double>(now.bytes_up + now.bytes_down)), share(stop.seconds, now.wall_s),
       share(stop.grad_evals, static_cast<double>(now.grad_evals)),
       log_share(stop.gap, first.f_gap.value_or(0.0), now.f_gap.value_or(0.0)),
       log_share(stop.grad_norm, first.grad_norm, now.grad_norm),
       log_share(stop.grad_norm_relative, 1.0, now.grad_norm / first.grad_norm)});
  return std::clamp(part, 0.0, 1.0);
}

Progress::Progress(bool enabled, std::string label, const StopConditions& stop)
    : enabled_(enabled), label_(std::move(label)), stop_(stop) {}

void Progress::measured(const TraceRow& row) {
  if (!first_) first_ = row;
  last_ = row;
}

void Progress::show(const TraceRow& row) {
  const Clock::time_point now = Clock::now();
  if (!enabled_ || !first_ || now - shown_ < std::chrono::milliseconds(150)) return;
  shown_ = now;

  TraceRow state = row;
  state.f_gap = last_.f_gap;
  state.grad_norm = last_.grad_norm;
  state.test_accuracy = last_.test_accuracy;
  const double used = std::chrono::duration<double>(now - begin_).count();
  const double part = done_part(stop_, *first_, state);
  std::string quality =
      state.f_gap ? fmt::format("gap {:.2e}", *state.f_gap) : fmt::format("gradient norm {:.2e}", state.grad_norm);
  if (state.test_accuracy) quality = fmt::format("test accuracy {:.2f} %", 100.0 * *state.test_accuracy);
  const std::string left = part > 0.01 ? ", about " + time_text(used * (1.0 / part - 1.0)) + " left" : "";
  show_line(fmt::format("{}: round {}, exchanges {}, {}, {} used{}", label_, state.round, state.exchanges, quality,
                        time_text(used), left));
  visible_ = true;
}

void Progress::clear() { clear_line(visible_); }

}  // namespace driftless
