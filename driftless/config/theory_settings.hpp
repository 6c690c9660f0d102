// Options given as "theory": their values follow from the constants of the federation, once those are known.
//
// The formulas are those of the catalogue. They use the theory's values of other options, not the given ones: p of
// FedRed follows from λ = δ_A and η = L. Before the constants are known, MethodEntry::check checks all that does not
// depend on them.
#pragma once

#include "driftless/methods/catalog.hpp"

namespace driftless {

bool asks_for_theory(const Settings& settings);  // one of the values is

// ConfigError for an option that has no value from theory.
void require_theory(const MethodEntry& entry, const std::string& option);

// An option whose value comes from theory.
struct TheoryUse {
  std::string option;
  std::string formula;
};

struct ResolvedSettings {
  Settings settings;
  std::vector<TheoryUse> theory;  // the options that were "theory"
};

// Replaces "theory" by numbers. Where such a value cannot be used, a ConfigError names the assumption that fails and
// the method, by its label.
ResolvedSettings resolve_settings(const MethodEntry& entry, const Settings& settings, const Constants& constants,
                                  const std::string& label);

}  // namespace driftless
