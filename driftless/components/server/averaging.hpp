// Which local points determine the next x: Avg, the mean over all clients, or Rand, the point of one client. That
// client is drawn uniformly, by a fixed distribution, or taken from a list that was fixed before the run.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

namespace driftless {

enum class Averaging { mean, random };
template <>
struct EnumNames<Averaging> {
  static constexpr std::array<std::string_view, 2> value{"mean", "random"};
};

// How Rand chooses its client; at most one of both is given.
struct ClientChoice {
  std::vector<double> client_weights = {};   // chances, up to a factor
  std::vector<double> client_sequence = {};  // clients of rounds 0, 1, …, from the beginning again after the last

  static Fields fields() {
    using S = ClientChoice;
    return {field("client_weights", &S::client_weights, anything,
                  "chances of the clients for averaging = \"random\", up to a factor; equal if empty"),
            field("client_sequence", &S::client_sequence, anything,
                  "the clients, from 0, that averaging = \"random\" takes in turn instead of drawing")};
  }
  void check(Averaging averaging) const;        // ConfigError
  void require_fit(std::size_t clients) const;  // ConfigError if they do not fit that number
  Cohort chosen(Federation& fed, Averaging averaging) const;
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
