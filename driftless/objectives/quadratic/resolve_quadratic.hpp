// Checks a description of a quadratic problem and fills in its defaults.
#pragma once

#include "driftless/objectives/quadratic/quadratic_spec.hpp"

namespace driftless {

// The same spec with every default of its recipe filled in. ConfigError for a spec that no problem can have.
QuadraticSpec resolved(QuadraticSpec spec);

}  // namespace driftless
