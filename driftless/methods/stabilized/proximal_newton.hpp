// The local solver that the methods of this family use unless told otherwise. It needs no constants and stops at
// ‖∇F_i(y)‖ ≤ (λ/10)‖y − c‖. The theory is content with λ/2; on the four data sets of docs/methods/stabilized.md the
// stricter rule saves up to a fifth of the exchanges for a few passes of local work.
#pragma once

#include "driftless/solvers/local_solver_options.hpp"

namespace driftless {

inline LocalSolverOptions proximal_newton() {
  return {.solver = SolverName::newton_cg, .stop_rule = StopRuleName::proximal, .tolerance = 0.1};
}

}  // namespace driftless
