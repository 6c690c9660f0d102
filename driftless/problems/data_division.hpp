// How [federation] and the source of the data fit together, for every kind of problem with rows.
#pragma once

#include "driftless/config/config_table.hpp"
#include "driftless/problems/federation_config.hpp"

namespace driftless {

// With federation.files: their number is that of the clients, and there is nothing to divide. ConfigError otherwise.
void match_files(const ConfigTable& problem, FederationConfig& federation);

// Where every site brings its own data. ConfigError if the table has a split.
void require_no_split(const FederationConfig& federation);

}  // namespace driftless
