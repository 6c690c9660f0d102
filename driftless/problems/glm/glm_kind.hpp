// problem.kind = "glm": generalised linear models of the columns of tables.
#pragma once

#include "driftless/problems/problem_kind.hpp"

namespace driftless {

ProblemKind glm_kind();

}  // namespace driftless
