// Which sites mask their rows against each other. Few sites: all pairs. Many: every site has neighbours on a random
// graph, so few that masks stay cheap, and so many that a site whose neighbours all conspire with the server is less
// likely than 2^−40 where a third of all sites do (Bell et al. 2020).
#pragma once

#include "driftless/secure_sum/secret.hpp"

#include <cstddef>
#include <vector>

namespace driftless {

std::size_t mask_neighbours(std::size_t sites);  // of each site

// The neighbours of every site. The seed depends on the keys of all sites, so that none of them can choose it.
std::vector<std::vector<std::size_t>> mask_graph(std::size_t sites, const Secret& seed);

}  // namespace driftless
