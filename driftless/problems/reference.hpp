// The optimum of f, found before a run, so that the trace can show the distance to it.
#pragma once

#include "driftless/federation/federation.hpp"
#include "driftless/problems/reference_cache.hpp"

#include <optional>

namespace driftless {

struct ReferenceSearch {
  std::optional<FoundReference> found = {};
  std::string reason = {};  // why nothing was found
};

// By Newton's method on the mean of all clients, to ‖∇f‖ ≤ 1e-12 (1 + ‖∇f(0)‖) or as far as rounding allows; none where
// 1e-9 (1 + ‖∇f(0)‖) was not reached or a number is not finite. f must be convex; f − (mu/2)‖x‖² is convex too.
//
// A small gradient alone does not show that there is a minimiser: on separable data without l2 it vanishes at infinity.
// With mu > 0 there is one, and f(x) − f* ≤ ‖∇f(x)‖²/(2 mu). With mu = 0 the Newton step v = (∇²f(x))⁻¹ ∇f(x) is formed
// by conjugate gradients. If ⟨v, ∇²f v⟩ at x − v is at least 0.8 of that at x, the quadratic model holds over the step,
// which would lower f by about ⟨∇f(x), v⟩/2, and twice as much is the bound. Near a minimiser v is tiny and nothing
// changes; where logistic losses vanish at infinity the curvature falls to about 1/e, whatever the scale of the data.
ReferenceSearch exact_reference(Federation& fed, double mu);

// The same from the cache, with the same bits. An entry is used only if the gradient at its point shows that it is
// stationary. With `fresh` the cache is not read. A new optimum is written to the cache.
ReferenceSearch cached_reference(Federation& fed, double mu, const ReferenceCache& cache, bool fresh);

}  // namespace driftless
