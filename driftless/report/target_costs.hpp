// What each curve paid to come down to the targets.
#pragma once

#include "driftless/report/curves.hpp"
#include "driftless/results/target_table.hpp"

#include <vector>

namespace driftless {

// One line per curve.
TargetTable target_costs(const std::vector<Curve>& curves);

// The same, with a line for every member of a group. Times on links are under their keys.
nlohmann::ordered_json target_costs_json(const std::vector<Curve>& curves);

// [{"key": "link_s", "link": "10ms,100Mbit"}, …]
nlohmann::ordered_json links_json(std::span<const RunFiles> runs);

}  // namespace driftless
