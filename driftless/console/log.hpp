// Messages for people, on standard error. $DRIFTLESS_LOG sets the level.
#pragma once

#include <string>

namespace driftless {

// Reads DRIFTLESS_LOG: trace | debug | info | warn | error | off; info if not set. ConfigError for anything else.
void start_log();
void log_nothing();  // silences all later messages

void log_debug(const std::string& text);
void log_info(const std::string& text);
void log_warning(const std::string& text);
void log_error(const std::string& text);

}  // namespace driftless
