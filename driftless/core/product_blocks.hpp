// Eigen cuts matrix products by the caches of the machine; fixed cuts give the same bits everywhere.
#pragma once

namespace driftless {

// Called by whatever multiplies matrices or makes a federation; only the first call does something.
void fix_product_blocks();

}  // namespace driftless
