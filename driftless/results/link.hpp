// A network between the server and its clients, as a text: "10ms,100Mbit". docs/links.md has the grammar.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

namespace driftless {

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
};

// ConfigError that names an invalid part and the valid forms.
Link read_link(const std::string& text);
std::vector<Link> read_links(std::span<const std::string> texts);

}  // namespace driftless
