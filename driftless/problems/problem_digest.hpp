// Identifies a problem in the cache of optima.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

namespace driftless {

// Over everything that the bits of the optimum depend on: data, split, keys of the kind, program version.
std::string problem_digest(const ProblemConfig& config, const Problem& problem);

}  // namespace driftless
