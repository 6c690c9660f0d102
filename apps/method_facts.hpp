// The facts about a method that text and JSON show.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <nlohmann/json.hpp>

namespace driftless::app {

// The number of clients of the examples; the cost of a round per client hardly depends on it.
inline constexpr std::size_t example_clients = 5;

// What it needs besides gradients: "graph", "delegate", "Hessian products".
std::vector<std::string> needs_of(const MethodEntry& entry);
// What its options allow: "sampling", "batches", "codec".
std::vector<std::string> abilities_of(const MethodEntry& entry);

// The traffic of the example's settings.
struct MethodTraffic {
  Traffic start;
  Traffic round;
  Traffic coin;  // what a coin adds to some rounds
};
MethodTraffic traffic_of(const MethodEntry& entry);
double per_client(std::uint64_t vectors);

// Name, family, paper and properties: the beginning of every entry in JSON.
nlohmann::ordered_json facts_json(const MethodEntry& entry);

}  // namespace driftless::app
