// Theorems of gd and agd with steps of at most 1/L_f.
#pragma once

#include "driftless/methods/baselines/agd.hpp"
#include "driftless/methods/baselines/gd.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

Theorems gd_theorems(const GdOptions& options, const TheoremFacts& facts);
Theorems agd_theorems(const AgdOptions& options, const TheoremFacts& facts);

}  // namespace driftless
