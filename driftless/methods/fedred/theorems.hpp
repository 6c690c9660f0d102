// Theorems of FedRed with exact steps and with gradient steps.
#pragma once

#include "driftless/methods/fedred/fedred.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

Theorems fedred_theorems(const FedRedOptions& options, const TheoremFacts& facts);

}  // namespace driftless
