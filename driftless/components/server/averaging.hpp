// Whose local points make the next x: Avg, the mean over everyone, or Rand, the point of one client drawn uniformly.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

namespace driftless {

enum class Averaging { mean, random };
template <>
struct EnumNames<Averaging> {
  static constexpr std::array<std::string_view, 2> value{"mean", "random"};
};

// Drawn before the local work, so that under Rand only the chosen client needs to send, and in DANE+ to work.
inline Cohort chosen(Federation& fed, Averaging averaging) {
  return averaging == Averaging::mean ? fed.everyone() : fed.any_client();
}

// How many of n clients the choice has.
inline std::size_t chosen_of(std::size_t clients, Averaging averaging) {
  return averaging == Averaging::mean ? clients : 1;
}

}  // namespace driftless
