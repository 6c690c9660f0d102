// Options given as "theory": their values follow from the constants of the federation, once those are known.
//
// The formulas are those of the catalogue and use the theory's own values of other options: p of FedRed follows from
// λ = δ_A and η = L, whatever λ and η the user gives. Before the constants are known, MethodEntry::check looks at all
// that does not depend on them.
#pragma once

#include "driftless/methods/catalog.hpp"

namespace driftless {

bool asks_for_theory(const Settings& settings);  // one of the values is

// ConfigError for an option that the theory of the method does not give.
void require_theory(const MethodEntry& entry, const std::string& option);

// An option whose value came from the theory.
struct TheoryUse {
  std::string option;
  std::string formula;
};

struct ResolvedSettings {
  Settings settings;
  std::vector<TheoryUse> theory;  // the options that asked for it
};

// Puts numbers in place of "theory". ConfigError that names the assumption which fails where the theory's value cannot
// be used; `label` names the method there.
ResolvedSettings resolve_settings(const MethodEntry& entry, const Settings& settings, const Constants& constants,
                                  const std::string& label);

}  // namespace driftless
