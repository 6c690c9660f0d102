// Which local points determine the next x: Avg, the mean over all clients, or Rand, the point of one client drawn
// uniformly.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

namespace driftless {

enum class Averaging { mean, random };
template <>
struct EnumNames<Averaging> {
  static constexpr std::array<std::string_view, 2> value{"mean", "random"};
};

// Drawn before the local work, so that with Rand only the chosen client sends a point, and in DANE+ only it works.
inline Cohort chosen(Federation& fed, Averaging averaging) {
  return averaging == Averaging::mean ? fed.everyone() : fed.any_client();
}

// The number of chosen clients out of n.
inline std::size_t chosen_of(std::size_t clients, Averaging averaging) {
  return averaging == Averaging::mean ? clients : 1;
}

}  // namespace driftless
