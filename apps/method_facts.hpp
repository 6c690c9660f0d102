// What the lists of methods say of a method, once for text and JSON.
#pragma once

#include "driftless/methods/catalog.hpp"

#include <nlohmann/json.hpp>

namespace driftless::app {

// As many clients as in the examples; what a round costs per client hardly depends on it.
inline constexpr std::size_t example_clients = 5;

// What it asks for beside gradients: "graph", "delegate", "Hessian products".
std::vector<std::string> needs_of(const MethodEntry& entry);
// What it can do if asked to: "sampling", "batches", "codec".
std::vector<std::string> abilities_of(const MethodEntry& entry);

// The traffic of the example's settings.
struct MethodTraffic {
  Traffic start;
  Traffic round;
  Traffic coin;  // what a coin adds to some rounds
};
MethodTraffic traffic_of(const MethodEntry& entry);
double per_client(std::uint64_t vectors);

// What JSON output says of a method: `driftless methods` of each, `driftless describe` of one.
nlohmann::ordered_json facts_json(const MethodEntry& entry);

}  // namespace driftless::app
