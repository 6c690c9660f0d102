// The settings on the page: those that are not the default of their option, or differ.
#pragma once

#include "driftless/report/curves.hpp"

#include <nlohmann/json.hpp>

namespace driftless {

// {"names": […], "lines": [{"key", "same", "values", "theory"}, …]}: a value, as TOML text or null, for each name, and
// the formula where it is the theory's.
nlohmann::ordered_json method_settings(const std::vector<Curve>& curves);
nlohmann::ordered_json run_settings(std::span<const RunFiles> runs);

}  // namespace driftless
