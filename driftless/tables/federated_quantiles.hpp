// Quantiles over the numbers of all clients without collecting them: the clients count how many of theirs are
// below a trial value, and all trial values are bisected at once. The result is one of the numbers, exactly.
#pragma once

#include "driftless/tables/fact_sums.hpp"

#include <span>
#include <vector>

namespace driftless {

// Collective, 64 exchanges. numbers[slot][c] are those of one client and one column, sorted; the result has for each
// column the quantile of each level: the least number v for which at least that part of all numbers is ≤ v.
std::vector<std::vector<double>> federated_quantiles(const std::vector<std::vector<std::vector<double>>>& numbers,
                                                     std::size_t columns, std::span<const double> levels,
                                                     FactSums& sums);

}  // namespace driftless
