// The catalogue of local solvers: the variant is the list.
#pragma once

#include "driftless/solvers/accelerated_gradient.hpp"
#include "driftless/solvers/adaptive_gradient.hpp"
#include "driftless/solvers/exact.hpp"
#include "driftless/solvers/gradient_descent.hpp"
#include "driftless/solvers/newton_cg.hpp"
#include "driftless/solvers/sgd.hpp"

#include <variant>

namespace driftless {

using LocalSolver =
    std::variant<GradientDescent, ProxGradient, AcceleratedGradient, AdaptiveGradient, Sgd, NewtonCg, Exact>;

}  // namespace driftless
