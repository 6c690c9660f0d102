// What identifies a problem whose optimum is kept for later runs.
#pragma once

#include "driftless/problems/problem.hpp"
#include "driftless/problems/problem_config.hpp"

namespace driftless {

// Over everything that the optimum's bits depend on: data, split, loss, l2, intercept, storage, precision, program
// version.
std::string problem_digest(const ProblemSetup& setup, const Problem& problem);

}  // namespace driftless
