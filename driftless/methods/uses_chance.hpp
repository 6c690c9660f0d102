#pragma once

#include "driftless/methods/method_entry.hpp"

namespace driftless {

// Whether runs with other seeds may differ: the method tosses coins, draws clients, takes minibatches or codes at
// random.
bool uses_chance(const MethodEntry& entry, const Settings& given);

}  // namespace driftless
