// The search space of a method for which nobody gave ranges, from those of the catalogue.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/tuning/search_space.hpp"

namespace driftless {

// The table of a method, with "theory" for options that have no value and no default, or for all options that have a
// value from theory where the table gives none at all.
ConfigTable with_theory(ConfigTable method);

// Multiples of the values given as numbers, of theory's, or of the defaults. Empty for unknown methods.
SearchSpace default_space(const ConfigTable& method);

}  // namespace driftless
