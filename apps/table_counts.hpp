// What a command did about the rows and cells of a table that are not as the model has them, for programs.
#pragma once

#include "driftless/tables/counts_text.hpp"

#include <nlohmann/json_fwd.hpp>

namespace driftless::app {

nlohmann::ordered_json counts_json(const DesignCounts& counts);

}  // namespace driftless::app
