// Matrices of several predictions per row: block (k, l) is Σ_j w_jkl a_j a_j', symmetric in k and l.
#pragma once

#include "driftless/core/objective.hpp"
#include "driftless/objectives/linear/row_pass.hpp"

#include <algorithm>
#include <vector>

namespace driftless {

// triangle += that matrix; weigh(k, l, weights) fills in the weights of all rows for k ≥ l. Returns the passes that it
// is worth.
template <class Rows, class Weigh>
std::size_t add_pair_gram(const Rows& rows, bool intercept, std::size_t predictions, const Weigh& weigh,
                          VecOut triangle) {
  std::vector<double> weights(rows.blocks().rows());
  const Index length = rows.dim() + (intercept ? 1 : 0);
  Vector block(triangle_size(length));
  std::size_t passes = 0;
  for (std::size_t k = 0; k < predictions; ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      weigh(k, l, std::span<double>(weights));
      block.setZero();
      passes += add_weighted_gram(rows, weights, intercept, block);
      const Index first_row = static_cast<Index>(k) * length;
      const Index first_column = static_cast<Index>(l) * length;
      for (Index i = 0; i < length; ++i)
        for (Index j = 0; j < (k == l ? i + 1 : length); ++j)
          triangle[triangle_size(first_row + i) + first_column + j] +=
              block[triangle_size(std::max(i, j)) + std::min(i, j)];
    }
  return (passes + predictions - 1) / predictions;  // a pass computes all predictions
}

}  // namespace driftless
