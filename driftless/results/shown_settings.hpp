// Settings of a method for tables and for JSON.
#pragma once

#include "driftless/core/options.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace driftless {

std::string shown_settings(const Settings& settings, int digits = 4);  // "lambda = 0.25, p = 0.1"
std::string shown_target(double part);                                 // "1e-6"
nlohmann::ordered_json settings_json(const Settings& settings);        // an object of values

}  // namespace driftless
