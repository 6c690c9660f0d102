// The largest of the numbers of all peers, by sums alone: no peer, and no server that adds, learns whose it is, how
// many have it, or anything about the smaller ones.
#pragma once

#include "driftless/federation/transport.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace driftless {

// Collective: entry by entry the maximum over all peers; every number is below `bound`. Peers that host no clients give
// zeros. One exchange where the bound is at most 256; otherwise one for each byte of the result, and one more.
std::vector<std::uint64_t> shared_maximum(std::span<const std::uint64_t> mine, std::uint64_t bound,
                                          Transport& transport);

// Collective: entry by entry the sum over all peers, modulo 2^64.
std::vector<std::uint64_t> shared_sum(std::span<const std::uint64_t> mine, Transport& transport);

// Integers in the order of real numbers, and back.
std::uint64_t ordered_key(double value);
double number_of_key(std::uint64_t key);

// Collective: the largest of the real numbers of all peers, entry by entry; −∞ for peers that have none.
std::vector<double> shared_largest(std::span<const double> mine, Transport& transport);

// Collective: the texts that at least one peer has, for each of several lists; no text holds a zero byte. Nothing tells
// which peer has which. One exchange for each character of the longest text.
std::vector<std::set<std::string>> shared_union(const std::vector<std::set<std::string>>& mine, Transport& transport);

}  // namespace driftless
