// L, μ and δ of any federation whose Hessians fit into memory, from products with ∇²f_i at given points.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/objectives/constants.hpp"

#include <span>

namespace driftless {

// The worst over the points: largest L and δ, smallest μ. Between the points the Hessians may be worse still.
// ConfigError where there are too many variables.
Constants measured_constants(const ClientObjectives& clients, std::span<const Vector> points, ThreadPool& pool);

}  // namespace driftless
