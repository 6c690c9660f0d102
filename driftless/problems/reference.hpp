// The optimum of f, found before a run, so that the trace can tell how far a method is from it.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/problems/reference_cache.hpp"

#include <optional>

namespace driftless {

// By Newton's method on the mean of all clients, to ‖∇f‖ ≤ 1e-12 (1 + ‖∇f(0)‖) or as far as rounding allows; none where
// not even 1e-9 (1 + ‖∇f(0)‖) was reached. f must be convex.
std::optional<FoundReference> exact_reference(Federation& fed);

// The same from the cache, with the same bits: an entry is believed where one gradient shows its point to be
// stationary. `fresh` does not read the cache. What is found is kept for later runs.
std::optional<Reference> cached_reference(Federation& fed, const ReferenceCache& cache, bool fresh);

}  // namespace driftless
