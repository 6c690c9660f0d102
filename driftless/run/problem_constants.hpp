// L, μ and δ of a problem, as far as they can be had: from its closed form, else from Hessians at given points.
#pragma once

#include "driftless/run/problem.hpp"

#include <string>

namespace driftless {

struct ProblemConstants {
  Constants values;
  bool exact = true;  // valid everywhere; otherwise measured, and the Hessians elsewhere may be worse
  std::string at;     // "everywhere", "start and optimum", "start"
};

// ConfigError where they are not known and there are too many variables to measure them.
ProblemConstants problem_constants(const Problem& problem, ThreadPool& pool);

std::string constants_line(const ProblemConstants& constants);       // "L = 100, …, delta_1 = 5 (exact)"
std::string constants_file_text(const ProblemConstants& constants);  // constants.json

}  // namespace driftless
