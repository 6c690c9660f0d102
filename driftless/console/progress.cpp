#include "driftless/console/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
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
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  visible = false;
}

bool progress_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDERR_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

void StageLine::show(const std::string& stage) {
  if (!enabled_) return;
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin_;
  fmt::print(stderr, "\r\033[K{}, {} used", stage, time_text(used.count()));
  std::fflush(stderr);
  visible_ = true;
}

void StageLine::clear() { clear_line(visible_); }

CountProgress::CountProgress(bool enabled, std::string things, std::size_t total)
    : enabled_(enabled), things_(std::move(things)), total_(total) {}

void CountProgress::add() {
  ++done_;
  const Clock::time_point now = Clock::now();
  if (!enabled_ || now - shown_ < std::chrono::milliseconds(150)) return;
  shown_ = now;
  const double used = std::chrono::duration<double>(now - begin_).count();
  const double left = used / static_cast<double>(done_) * static_cast<double>(total_ - done_);
  fmt::print(stderr, "\r\033[K{} of {} {}, {} used, about {} left", done_, total_, things_, time_text(used),
             time_text(left));
  std::fflush(stderr);
  visible_ = true;
}

void CountProgress::clear() { clear_line(visible_); }

}  // namespace driftless
