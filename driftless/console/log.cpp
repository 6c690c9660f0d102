#include "driftless/console/log.hpp"

#include "driftless/console/terminal.hpp"
#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace driftless {
namespace {

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> shared = [] {
    auto made = std::make_shared<spdlog::logger>("driftless", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::info);
    return made;
  }();
  return *shared;
}

}  // namespace

void start_log() {
  const char* wanted = std::getenv("DRIFTLESS_LOG");
  if (wanted == nullptr || *wanted == '\0') return;
  const std::array<std::string, 6> known{"trace", "debug", "info", "warn", "error", "off"};
  if (std::ranges::find(known, wanted) == known.end())
    throw ConfigError({.what = "unknown log level",
                       .seen = "environment DRIFTLESS_LOG: " + std::string(wanted),
                       .advice = "use one of " + join(known)});
  logger().set_level(spdlog::level::from_str(wanted));
}

void log_nothing() { logger().set_level(spdlog::level::off); }

void log_debug(const std::string& text) { logger().debug("{}", text); }
void log_info(const std::string& text) { logger().info("{}", text); }
void log_warning(const std::string& text) { logger().warn("{}", coloured_head("warning: " + text)); }
void log_error(const std::string& text) { logger().error("{}", coloured_head("error: " + text)); }

}  // namespace driftless
