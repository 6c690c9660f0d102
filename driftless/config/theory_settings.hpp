// Options given as "theory": their values follow from the constants of the federation, once those are known.
//
// The formulas are those of the catalogue. They use the other options as they are given: p of FedRed follows from the λ
// and η beside it. Before the constants are known, MethodEntry::check checks all that does not depend on them.
#pragma once

#include "driftless/methods/catalog.hpp"

namespace driftless {

bool asks_for_theory(const Settings& settings);  // one of the values is

// ConfigError for an option that has no value from theory.
void require_theory(const MethodEntry& entry, const std::string& option);

// Replaces "theory" by numbers. Where such a value cannot be used, a ConfigError names the assumption that fails and
// the method, by its label.
ResolvedSettings resolve_settings(const MethodEntry& entry, const Settings& settings, const Constants& constants,
                                  const std::string& label);

}  // namespace driftless
