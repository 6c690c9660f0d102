// The entry of Catalyst: its options are its own and those of the inner method, which `inner` names.
#pragma once

#include "driftless/methods/method_entry.hpp"

namespace driftless {

// Catalyst around each of these methods; the one around `usual` describes it where none is named.
MethodEntry catalyst_entry(const std::vector<MethodEntry>& inner, const std::string& usual);

}  // namespace driftless
