// The report: one HTML page that needs nothing beside itself.
#pragma once

#include "driftless/results/run_files.hpp"

#include <span>
#include <string>
#include <string_view>

namespace driftless {

// Every page begins with this.
inline constexpr std::string_view page_mark = "<!doctype html>\n<!-- driftless report -->";

std::string report_page(std::span<const RunFiles> runs);

// A page around data that are there already; see page_data().
std::string page_around(const std::string& data);

}  // namespace driftless
