// Shamir's secret sharing: of the shares of a secret any `threshold` give it back, and fewer tell nothing about it. Each
// byte is shared by itself, over the field of 256 elements.
#pragma once

#include "driftless/secure_sum/secret.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace driftless {

inline constexpr std::size_t most_shares = 255;

// The shares of holders 0 … holders − 1, at most most_shares; 1 ≤ threshold ≤ holders.
std::vector<Secret> split_secret(const Secret& secret, std::size_t holders, std::size_t threshold);

// From exactly `threshold` shares or more, by holder.
Secret combined_secret(const std::map<std::size_t, Secret>& shares);

}  // namespace driftless
