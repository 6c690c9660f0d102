// A network between the server and its clients, as a text: "10ms,100Mbit". docs/links.md has the grammar.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// What one exchange carries.
struct ExchangeLoad {
  double clients = 1.0;  // that take part
  double up = 0.0;       // bytes of one client
  double down = 0.0;
};

struct Link {
  static constexpr double unlimited = std::numeric_limits<double>::infinity();

  std::string text;       // as it was given
  double latency = 0.0;   // seconds, one way
  double up = unlimited;  // bytes per second of one client, to the server
  double down = unlimited;
  double server = unlimited;  // bytes per second in each direction, shared by all clients
  double straggler_chance = 0.0;
  double straggler_factor = 1.0;
  double compute = 1.0;  // factor on the measured time of computation

  // With a client that is slower by `factor`; results/link_model.hpp has the formula.
  double exchange_seconds(const ExchangeLoad& load, double factor = 1.0) const;
};

// ConfigError that names an invalid part and the valid forms; `source` is the flag or key that gave the text.
Link read_link(const std::string& text, std::string_view source = "--link");
std::vector<Link> read_links(std::span<const std::string> texts);

}  // namespace driftless
