#include "driftless/tables/federated_quantiles.hpp"

#include "driftless/federation/shared_facts.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace driftless {
namespace {

struct Search {
  std::uint64_t low = ordered_key(std::numeric_limits<double>::lowest());
  std::uint64_t high = ordered_key(std::numeric_limits<double>::max());

  std::uint64_t middle() const { return low + (high - low) / 2; }
  bool done() const { return low == high; }
};

}  // namespace

std::vector<std::vector<double>> federated_quantiles(const std::vector<std::vector<std::vector<double>>>& numbers,
                                                     std::size_t columns, std::span<const double> levels,
                                                     FactSums& sums) {
  const Vector present = sums.mean(columns, [&](std::size_t slot, VecOut counts) {
    for (std::size_t c = 0; c < columns; ++c)
      counts[static_cast<Index>(c)] = static_cast<double>(numbers[slot][c].size());
  });
  std::vector<Search> searches(columns * levels.size());
  while (!std::ranges::all_of(searches, &Search::done)) {
    const Vector below = sums.mean(searches.size(), [&](std::size_t slot, VecOut counts) {
      for (std::size_t k = 0; k < searches.size(); ++k) {
        const std::vector<double>& sorted = numbers[slot][k / levels.size()];
        const auto end = std::ranges::upper_bound(sorted, number_of_key(searches[k].middle()));
        counts[static_cast<Index>(k)] = static_cast<double>(end - sorted.begin());
      }
    });
    for (std::size_t k = 0; k < searches.size(); ++k) {
      Search& search = searches[k];
      if (search.done()) continue;
      const double needed = levels[k % levels.size()] * present[static_cast<Index>(k / levels.size())];
      if (below[static_cast<Index>(k)] >= needed) search.high = search.middle();
      else search.low = search.middle() + 1;
    }
  }
  std::vector<std::vector<double>> quantiles(columns);
  for (std::size_t k = 0; k < searches.size(); ++k)
    quantiles[k / levels.size()].push_back(number_of_key(searches[k].low));
  return quantiles;
}

}  // namespace driftless
