// Options given as "theory": their values follow from the constants of the federation, once those are known.
//
// The formulas are those of the catalogue and use the theory's own values of other options: p of FedRed follows from
// λ = δ_A and η = L, whatever λ and η the user gives.
#pragma once

#include "driftless/run/method_config.hpp"
#include "driftless/run/problem_constants.hpp"

#include <span>

namespace driftless {

bool asks_for_theory(const OptionValue& value);  // it is the text "theory"
bool asks_for_theory(const MethodConfig& method);
bool asks_for_theory(std::span<const MethodConfig> methods);

// ConfigError for an option that the theory of the method does not give.
void require_theory(const MethodEntry& entry, const std::string& option);

// The settings with values of the theory that fit together, so that everything else can be checked before the constants
// are known. ConfigError where none do.
Settings plausible_settings(const MethodEntry& entry, const Settings& settings);

// Puts numbers in place of "theory" and remembers their formulas. ConfigError that names the assumption which fails
// where the theory's value cannot be used.
void resolve_theory(MethodConfig& method, const ProblemConstants& constants);

}  // namespace driftless
