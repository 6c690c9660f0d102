// driftless methods
#include "driftless/methods/catalog.hpp"
#include "driftless/run/text_table.hpp"

#include "apps/commands.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

// As many clients as in the examples; what a round costs per client hardly depends on it.
constexpr std::size_t clients = 5;

struct PerClient {
  std::uint64_t exchanges;
  double up;
  double down;
};

PerClient round_cost(const MethodEntry& entry) {
  const Traffic traffic = entry.make(entry.demo)->round_traffic(clients);
  const auto n = static_cast<double>(clients);
  return {.exchanges = traffic.exchanges,
          .up = static_cast<double>(traffic.up) / n,
          .down = static_cast<double>(traffic.down) / n};
}

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const MethodEntry& entry : method_catalog()) {
    const PerClient cost = round_cost(entry);
    list.push_back({{"name", entry.name},
                    {"family", entry.family},
                    {"summary", entry.summary},
                    {"paper", entry.paper},
                    {"rate", entry.rate},
                    {"exchanges_per_round", cost.exchanges},
                    {"vectors_up_per_client", cost.up},
                    {"vectors_down_per_client", cost.down}});
  }
  fmt::print("{}\n", nlohmann::ordered_json{{"schema_version", 1}, {"methods", std::move(list)}}.dump(2));
}

void print_text() {
  std::vector<std::vector<std::string>> lines{{"method", "family", "exchanges", "up", "down", "what it does"}};
  for (const MethodEntry& entry : method_catalog()) {
    const PerClient cost = round_cost(entry);
    lines.push_back({entry.name, entry.family, fmt::format("{}", cost.exchanges), fmt::format("{:g}", cost.up),
                     fmt::format("{:g}", cost.down), entry.summary + " (" + entry.paper + ")"});
  }
  fmt::print("{}\nexchanges, and vectors up and down per client, are those of one round with the settings of "
             "'driftless describe NAME'\n",
             aligned(lines, {0, 1, 5}));
}

}  // namespace

ExitCode methods(Format format) {
  if (format == Format::json) print_json();
  else print_text();
  return ExitCode::done;
}

}  // namespace driftless::app
