#include "driftless/secure_sum/mask_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

// A random order: each site has a random number of its own.
std::vector<std::size_t> random_order(std::size_t sites, const Secret& seed) {
  std::vector<Secret> draws;
  for (std::size_t s = 0; s < sites; ++s) draws.push_back(derived(seed, "order", {s}));
  std::vector<std::size_t> order(sites);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t s) { return draws[s]; });
  return order;
}

}  // namespace

// sites · (1/3)^neighbours ≤ 2^−40; an even number, half of them on each side of a ring.
std::size_t mask_neighbours(std::size_t sites) {
  if (sites < 2) return 0;
  const double enough = (40.0 + std::log2(static_cast<double>(sites))) / std::log2(3.0);
  const auto even = 2 * static_cast<std::size_t>(std::ceil(enough / 2.0));
  return std::min(even, sites - 1);
}

std::vector<std::vector<std::size_t>> mask_graph(std::size_t sites, const Secret& seed) {
  const std::size_t degree = mask_neighbours(sites);
  std::vector<std::vector<std::size_t>> neighbours(sites);
  const std::vector<std::size_t> order = random_order(sites, seed);
  for (std::size_t at = 0; at < sites; ++at)
    for (std::size_t other = 0; other < sites; ++other) {
      const std::size_t ahead = (other + sites - at) % sites;
      if (ahead != 0 && (degree == sites - 1 || 2 * std::min(ahead, sites - ahead) <= degree))
        neighbours[order[at]].push_back(order[other]);
    }
  for (std::vector<std::size_t>& list : neighbours) std::ranges::sort(list);
  return neighbours;
}

}  // namespace driftless
