#include "driftless/tables/federated_quantiles.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace driftless {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Integers in the order of the numbers.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}
double number_of(std::uint64_t key) { return std::bit_cast<double>((key & sign_bit) != 0 ? key & ~sign_bit : ~key); }

struct Search {
  std::uint64_t low = key_of(std::numeric_limits<double>::lowest());
  std::uint64_t high = key_of(std::numeric_limits<double>::max());

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
        const auto end = std::ranges::upper_bound(sorted, number_of(searches[k].middle()));
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
  for (std::size_t k = 0; k < searches.size(); ++k) quantiles[k / levels.size()].push_back(number_of(searches[k].low));
  return quantiles;
}

}  // namespace driftless
