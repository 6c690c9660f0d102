// Time to each target on the requested links: one small table per link.
#pragma once

#include "driftless/core/link.hpp"
#include "driftless/results/target_table.hpp"

#include <span>
#include <string>

namespace driftless {

std::string link_tables_text(const TargetTable& table, std::span<const Link> links);

std::string seconds_text(double seconds);  // "49 µs", "12.3 ms", "1.25 s", "11 min", "2 h 5 min"

}  // namespace driftless
