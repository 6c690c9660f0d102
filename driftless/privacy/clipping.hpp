// How much one site can change a sum: its row is scaled to a norm of at most C before it is rounded to a lattice, and
// rounding adds to that what these functions say. Neighbouring federations here differ by one site that takes part or
// does not; where a site is replaced by another one, the sensitivity is twice the norm.
#pragma once

#include "driftless/core/vector.hpp"

namespace driftless {

// Multiplies the row by min(1, C/‖row‖), and a little less where it is scaled, so that its norm in exact arithmetic is
// at most C whatever was rounded. A row without a finite norm becomes zero. Returns the factor.
double clip(VecOut row, double bound);

// A bound of the norm of a row of norm at most C in d entries, each rounded to a nearest multiple of `unit`:
// C + (unit/2)√d.
// Proof: the rounding error e has |e_j| ≤ unit/2 in every entry, so ‖e‖ ≤ (unit/2)√d, and the triangle inequality
// adds it. It is reached where every entry lies in the middle between two multiples.
double nearest_rounding_bound(double bound, double unit, Index dim);

// The same for randomized rounding, each entry up or down so that its mean is kept: with γ = unit,
// min(C + γ√d, √(C² + γ²d/4 + γ√(2 log(1/β)) (C + γ√d/2))). Kairouz, Liu, Steinke, ICML 2021, section 4.
// Proof: an error is below γ in every entry, which is the first value, and holds always. For the second, the entries
// are independent with E y_j = x_j and E (y_j − x_j)² ≤ γ²/4, so E ‖y‖² ≤ C² + γ²d/4; and ‖y‖² exceeds that by the
// amount shown with a chance of at most β, by the moments of the sum (Hoeffding's lemma for each entry). So the
// rounding is repeated until the norm is within the bound, which succeeds with a chance of at least 1 − β each time:
// then the bound holds always, and the mean is biased by little. 0 < β < 1.
double randomized_rounding_bound(double bound, double unit, Index dim, double beta);

}  // namespace driftless
