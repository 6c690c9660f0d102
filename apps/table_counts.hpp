// What a command did about the rows and cells of a table that are not as the model has them.
#pragma once

#include "driftless/tables/design.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace driftless::app {

// "240 rows predicted; 12 missing cells were filled, 1 text is no level of the model"; `done` is what was done with
// rows.
std::string counts_text(const DesignCounts& counts, const std::string& done);
nlohmann::ordered_json counts_json(const DesignCounts& counts);

}  // namespace driftless::app
