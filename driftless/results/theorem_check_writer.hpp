// Theorem checks as certificate.json and as lines of the table at the end of a run.
#pragma once

#include "driftless/problems/problem_constants.hpp"
#include "driftless/results/outcome.hpp"

#include <span>

namespace driftless {

std::string theorem_check_json(const MethodOutcome& outcome, const ProblemConstants& constants);  // the file
std::string theorem_summaries_json(const TheoremCheckReport& report);  // an array, one object per theorem, without rows

// Aligned columns; empty where no method has a theorem check.
std::string theorem_checks_text(std::span<const MethodOutcome> outcomes);

// Verdicts over seeds, for runs that differ in their seed alone.
void judge_over_seeds(std::span<MethodOutcome> outcomes);

}  // namespace driftless
