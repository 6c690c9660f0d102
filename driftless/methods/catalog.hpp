// All methods by name. A new one is one entry in the catalog.cpp of its family; the command line, the docs and the
// contract tests read this list.
#pragma once

#include "driftless/methods/method_entry.hpp"

namespace driftless {

const std::vector<MethodEntry>& method_catalog();

const MethodEntry& find_method(const std::string& name);  // ConfigError with the nearest name if there is none

}  // namespace driftless
