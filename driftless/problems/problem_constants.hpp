// L, μ and δ of a problem, as far as they can be had: from its closed form, else measured at given points by Lanczos on
// products with the Hessians, as `driftless inspect` does.
#pragma once

#include "driftless/problems/problem.hpp"

#include <functional>
#include <optional>
#include <string>

namespace driftless {

struct ProblemConstants {
  Constants values;
  bool exact = true;      // valid everywhere; otherwise measured, and the Hessians elsewhere may be worse
  std::string at;         // "everywhere", "start and optimum", "start"
  Constants errors = {};  // of measuring at those points
  double tolerance = 0.0;
  bool converged = true;  // otherwise some errors are above the tolerance
};

struct MeasuringOptions {
  bool progress = false;
  std::function<bool()> interrupted = {};
};

// Measured ones are the worst of the start and, where it is known, the optimum: largest L and δ, smallest μ. None where
// measuring was interrupted.
std::optional<ProblemConstants> problem_constants(const Problem& problem, ThreadPool& pool,
                                                  const MeasuringOptions& options = {});
// The same where clients are at several peers; collective.
std::optional<ProblemConstants> problem_constants(const Problem& problem, Transport& transport, ThreadPool& pool,
                                                  const MeasuringOptions& options = {});

inline constexpr const char* unfinished_constants =
    "some eigenvalues are not as accurate as asked for; the errors beside them say how far they came";

std::string origin_of(const ProblemConstants& constants);       // "exact", "measured by Lanczos at …, to 1e-09 of L"
std::string constants_line(const ProblemConstants& constants);  // "L = 100, …, delta_1 = 5 (exact)"
std::string constants_file_text(const ProblemConstants& constants);  // constants.json

}  // namespace driftless
