// Sums of numbers over clients, and the numbers of each client, by the exchanges of a federation.
#pragma once

#include "driftless/federation/federation.hpp"

#include <functional>
#include <vector>

namespace driftless {

// Writes the numbers of the client in this slot.
using SiteNumbers = std::function<void(std::size_t slot, std::span<double> numbers)>;

// Collective: the sum over all clients.
std::vector<double> sum_over_sites(Federation& fed, std::size_t width, const SiteNumbers& write);

// Collective: those of every client, one after the other; zeros for the absent.
std::vector<double> numbers_of_sites(Federation& fed, std::size_t width, const SiteNumbers& write);

}  // namespace driftless
