// Times in certificates: whole seconds of UTC.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace driftless {

using Instant = std::chrono::sys_seconds;

Instant current_instant();
std::string utc_text(Instant moment);                       // 2025-01-31T12:00:00Z
std::optional<Instant> parse_utc(const std::string& text);  // of exactly this form

}  // namespace driftless
