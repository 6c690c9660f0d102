#include "apps/method_facts.hpp"

namespace driftless::app {

std::vector<std::string> needs_of(const MethodEntry& entry) {
  std::vector<std::string> needs;
  if (has_option(entry, "graph")) needs.emplace_back("graph");
  if (has_option(entry, "delegate")) needs.emplace_back("delegate");
  if (entry.uses_hessian) needs.emplace_back("Hessian products");
  return needs;
}

// Options of solvers that the name rules out are listed too, but do nothing.
static bool may_take_batches(const MethodEntry& entry) {
  for (const auto& [key, value] : entry.fixed)
    if (key == "solver" && to_text(value) != "\"sgd\"") return false;
  return has_option(entry, "batch");
}

std::vector<std::string> abilities_of(const MethodEntry& entry) {
  std::vector<std::string> abilities;
  if (has_option(entry, "cohort")) abilities.emplace_back("sampling");
  if (may_take_batches(entry)) abilities.emplace_back("batches");
  if (has_option(entry, "compressor")) abilities.emplace_back("codec");
  return abilities;
}

MethodTraffic traffic_of(const MethodEntry& entry) {
  const std::unique_ptr<Method> method = entry.make(entry.demo);
  return {.start = method->start_traffic(example_clients),
          .round = method->round_traffic(example_clients),
          .coin = method->coin_traffic(example_clients)};
}

double per_client(std::uint64_t vectors) { return static_cast<double>(vectors) / static_cast<double>(example_clients); }

nlohmann::ordered_json traffic_json(const Traffic& t) {
  return {{"exchanges", t.exchanges},
          {"at_least", t.at_least},
          {"vectors_up_per_client", per_client(t.up)},
          {"vectors_down_per_client", per_client(t.down)}};
}

nlohmann::ordered_json facts_json(const MethodEntry& entry) {
  return {{"name", entry.name},       {"family", entry.family},     {"summary", entry.summary},
          {"paper", entry.paper},     {"rate", entry.rate},         {"proved_for", enum_name(entry.proved_for)},
          {"needs", needs_of(entry)}, {"can", abilities_of(entry)}, {"reaches_minimizer", entry.reaches_minimizer()}};
}

}  // namespace driftless::app
