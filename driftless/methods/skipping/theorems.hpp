// Theorems of Scaffnew and its relatives: potentials that fall in expectation.
#pragma once

#include "driftless/methods/skipping/five_gcs.hpp"
#include "driftless/methods/skipping/gradskip.hpp"
#include "driftless/methods/skipping/randprox.hpp"
#include "driftless/methods/skipping/scaffnew.hpp"
#include "driftless/methods/skipping/tamuna.hpp"
#include "driftless/methods/theorem.hpp"

namespace driftless {

Theorems scaffnew_theorems(const ScaffnewOptions& options, const TheoremFacts& facts);
Theorems gradskip_theorems(const GradSkipOptions& options, const TheoremFacts& facts);
Theorems tamuna_theorems(const TamunaOptions& options, const TheoremFacts& facts);
Theorems five_gcs_theorems(const FiveGcsOptions& options, const TheoremFacts& facts);
Theorems randprox_theorems(const RandProxOptions& options, const TheoremFacts& facts);

}  // namespace driftless
