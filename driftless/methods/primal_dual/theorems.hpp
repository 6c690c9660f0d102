// Theorem of FedDyn: that of DANE+ with the drift rule.
#pragma once

#include "driftless/methods/primal_dual/feddyn.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

Theorems feddyn_theorems(const FedDynOptions& options, const TheoremFacts& facts);

}  // namespace driftless
