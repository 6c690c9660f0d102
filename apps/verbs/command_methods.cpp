// driftless methods
#include "driftless/console/terminal.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/core/text.hpp"

#include "apps/command_line.hpp"
#include "apps/method_facts.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless::app {
namespace {

struct MethodsRequest {
  std::string family;  // empty: all
  Format format = Format::text;
};

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const MethodEntry& entry : method_catalog())
    if (std::ranges::find(names, entry.family) == names.end()) names.push_back(entry.family);
  return names;
}

std::vector<const MethodEntry*> entries_of(const std::string& family) {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : method_catalog())
    if (family.empty() || entry.family == family) entries.push_back(&entry);
  if (!entries.empty()) return entries;
  const std::vector<std::string> known = families();
  const std::string near = nearest(family, known);
  throw ConfigError({.what = "there is no such family of methods",
                     .seen = "--family " + family,
                     .advice = (near.empty() ? "" : "did you mean " + near + "? ") + "there are " + join(known)});
}

void print_methods_json(const std::vector<const MethodEntry*>& entries) {
  auto list = nlohmann::ordered_json::array();
  for (const MethodEntry* entry : entries) list.push_back(facts_json(*entry));
  print_json({{"schema_version", 2}, {"clients", example_clients}, {"methods", std::move(list)}});
}

// "2", "≥ 3" where it depends on the data, "0.2 (+1)" where a coin adds traffic.
std::string amount(double round, double coin, bool at_least) {
  return (at_least ? "≥ " : "") + fmt::format("{:g}", round) + (coin > 0.0 ? fmt::format(" (+{:g})", coin) : "");
}

std::string text_of(const MethodEntry& entry) {
  std::string text = entry.summary + " (" + entry.paper + ")";
  if (const auto needs = needs_of(entry); !needs.empty()) text += "; requires: " + join(needs);
  if (const auto abilities = abilities_of(entry); !abilities.empty()) text += "; supports: " + join(abilities);
  return text;
}

void print_text(const std::vector<const MethodEntry*>& entries, std::size_t width) {
  TextLines lines{{"method", "family", "proved for", "exchanges", "up", "down", "what it does"}};
  for (const MethodEntry* entry : entries) {
    const auto [start, round, coin] = traffic_of(*entry);
    lines.push_back({entry->name, entry->family, std::string(enum_name(entry->rate.proved_for)),
                     amount(static_cast<double>(round.exchanges), static_cast<double>(coin.exchanges), round.at_least),
                     amount(per_client(round.up), per_client(coin.up), round.at_least),
                     amount(per_client(round.down), per_client(coin.down), round.at_least), text_of(*entry)});
  }
  fmt::print("{}\n", aligned(lines, {0, 1, 2, 6}, width));
  for (const char* note :
       {"exchanges, and vectors up and down per client, are those of one round with the settings of 'driftless "
        "describe NAME'; (+k) is what a coin adds in some rounds",
        "proved for: the widest class of functions with a guarantee; any includes non-convex ones"})
    for (const std::string& line : wrapped(note, width)) fmt::print("{}\n", line);
}

ExitCode methods(const MethodsRequest& request) {
  const std::vector<const MethodEntry*> entries = entries_of(request.family);
  if (request.format == Format::json) print_methods_json(entries);
  else print_text(entries, output_width());
  return ExitCode::done;
}

}  // namespace

void declare_methods(CLI::App& command, Action& action) {
  const auto request = std::make_shared<MethodsRequest>();
  command.add_option("--family", request->family, "only the methods of one family: " + join(families()))
      ->type_name("NAME");
  add_format(command, request->format);
  command.footer("Example:\n  driftless methods --family dane");
  command.callback([&action, request] { action = [request] { return methods(*request); }; });
}

}  // namespace driftless::app
