// The optimum of f, found before a run, so that the trace can show the distance to it.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/problems/reference_cache.hpp"

#include <optional>

namespace driftless {

// By Newton's method on the mean of all clients, to ‖∇f‖ ≤ 1e-12 (1 + ‖∇f(0)‖) or as far as rounding allows; none where
// 1e-9 (1 + ‖∇f(0)‖) was not reached. f must be convex.
std::optional<FoundReference> exact_reference(Federation& fed);

// The same from the cache, with the same bits. An entry is used only if the gradient at its point shows that it is
// stationary. With `fresh` the cache is not read. A new optimum is written to the cache.
std::optional<Reference> cached_reference(Federation& fed, const ReferenceCache& cache, bool fresh);

}  // namespace driftless
