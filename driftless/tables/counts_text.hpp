// What was done about the rows and cells of a table that are not as the model has them.
#pragma once

#include "driftless/tables/design.hpp"

#include <string>

namespace driftless {

// "240 rows predicted; 12 missing cells were filled; 1 text is no level of the model"; `done` is what was done with
// rows.
std::string counts_text(const DesignCounts& counts, const std::string& done);

}  // namespace driftless
