// Theorem of Scaffnew: a potential that falls in expectation.
#pragma once

#include "driftless/methods/skipping/scaffnew.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

Theorems scaffnew_theorems(const ScaffnewOptions& options, const TheoremFacts& facts);

}  // namespace driftless
