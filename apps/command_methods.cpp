// driftless methods
#include "driftless/console/text_table.hpp"

#include "apps/command_line.hpp"
#include "apps/method_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

void print_methods_json() {
  auto list = nlohmann::ordered_json::array();
  for (const MethodEntry& entry : method_catalog()) list.push_back(facts_json(entry));
  const nlohmann::ordered_json all{{"schema_version", 2}, {"clients", example_clients}, {"methods", std::move(list)}};
  fmt::print("{}\n", all.dump(2));
}

// "2", "≥ 3" where it depends on the data, "0.2 (+1)" where a coin adds traffic.
std::string amount(double round, double coin, bool at_least) {
  return (at_least ? "≥ " : "") + fmt::format("{:g}", round) + (coin > 0.0 ? fmt::format(" (+{:g})", coin) : "");
}

void print_text() {
  std::vector<std::vector<std::string>> lines{
      {"method", "family", "exchanges", "up", "down", "proved for", "needs", "can", "what it does"}};
  for (const MethodEntry& entry : method_catalog()) {
    const auto [start, round, coin] = traffic_of(entry);
    lines.push_back({entry.name, entry.family,
                     amount(static_cast<double>(round.exchanges), static_cast<double>(coin.exchanges), round.at_least),
                     amount(per_client(round.up), per_client(coin.up), round.at_least),
                     amount(per_client(round.down), per_client(coin.down), round.at_least),
                     std::string(enum_name(entry.rate.proved_for)), fmt::format("{}", fmt::join(needs_of(entry), ", ")),
                     fmt::format("{}", fmt::join(abilities_of(entry), ", ")),
                     entry.summary + " (" + entry.paper + ")"});
  }
  fmt::print(
      "{}\nexchanges, and vectors up and down per client, are those of one round with the settings of 'driftless "
      "describe NAME'; (+k) is what a coin adds in some rounds\nproved for: the widest class of functions with a "
      "guarantee; any includes non-convex ones\n",
      aligned(lines, {0, 1, 5, 6, 7, 8}));
}

ExitCode methods(Format format) {
  if (format == Format::json) print_methods_json();
  else print_text();
  return ExitCode::done;
}

}  // namespace

void declare_methods(CLI::App& command, Action& action) {
  const auto format = std::make_shared<Format>(Format::text);
  add_format(command, *format);
  command.footer("Example:\n  driftless methods");
  command.callback([&action, format] { action = [format] { return methods(*format); }; });
}

}  // namespace driftless::app
