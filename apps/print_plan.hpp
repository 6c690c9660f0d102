// What --dry-run prints.
#pragma once

#include "apps/commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {

inline void print_plan(const std::string& config, const std::string& hash, Format format) {
  if (format == Format::text) fmt::print("{}", config);
  else fmt::print("{}\n", nlohmann::ordered_json{{"config_hash", hash}, {"config", config}}.dump(2));
}

}  // namespace driftless::app
