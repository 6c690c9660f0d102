#include "driftless/console/progress.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/terminal.hpp"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace driftless {

using namespace detail;

std::string detail::time_text(double seconds) {
  const long whole = std::lround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02} h", whole / 3600, whole / 60 % 60, whole % 60);
  if (whole >= 60) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

void detail::clear_line(bool& visible) {
  if (!visible) return;
  driftless::clear_line();
  visible = false;
}

bool progress_wanted() { return has_terminal(); }

void StageLine::show(const std::string& stage) {
  if (!enabled_) return;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
  show_line(fmt::format("{}, {} used", stage, time_text(used.count())));
  visible_ = true;
}

void StageLine::clear() { clear_line(visible_); }

CountProgress::CountProgress(bool enabled, std::string things, std::size_t total)
    : enabled_(enabled), things_(std::move(things)), total_(total) {}

void CountProgress::add() {
  ++done_;
  const Clock::time_point now = Clock::now();
  const Clock::duration interval = enabled_ ? std::chrono::milliseconds(150) : std::chrono::seconds(10);
  if (now - shown_ < interval) return;
  shown_ = now;
  const double used = std::chrono::duration<double>(now - begin_).count();
  const double left = used / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  const std::string text =
      fmt::format("{} of {} {}, {} used, about {} left", done_, total_, things_, time_text(used), time_text(left));
  if (!enabled_) return log_info(text);
  show_line(text);
  visible_ = true;
}

void CountProgress::clear() { clear_line(visible_); }

}  // namespace driftless
