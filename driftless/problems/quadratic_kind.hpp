// kind = "quadratic": synthetic quadratics with known constants and optimum; see quadratic_spec.hpp for the keys.
#pragma once

#include "driftless/objectives/quadratic/quadratic_spec.hpp"
#include "driftless/problems/problem_kind.hpp"

namespace driftless {

ProblemKind quadratic_kind();

// The setup of a quadratic problem without a configuration. ConfigError where no problem can have such a spec.
ProblemSetup quadratic_setup(const QuadraticSpec& spec);

}  // namespace driftless
