#include "apps/method_facts.hpp"

namespace driftless::app {

std::vector<std::string> needs_of(const MethodEntry& entry) {
  std::vector<std::string> needs;
  if (has_option(entry, "graph")) needs.emplace_back("graph");
  if (has_option(entry, "delegate")) needs.emplace_back("delegate");
  if (entry.uses_hessian) needs.emplace_back("Hessian products");
  return needs;
}

// The general options of local solvers include batches, which a name that settles another solver rules out.
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

namespace {

using Json = nlohmann::ordered_json;

Json traffic_json(const Traffic& t) {
  return {{"exchanges", t.exchanges},
          {"at_least", t.at_least},
          {"vectors_up_per_client", per_client(t.up)},
          {"vectors_down_per_client", per_client(t.down)}};
}

Json rates_json(const RateInfo& rate) {
  Json rates = Json::array();
  for (const ClassRate& r : rate.rounds) rates.push_back({{"functions", enum_name(r.functions)}, {"rounds", r.rounds}});
  return rates;
}

Json options_json(const MethodEntry& entry) {
  Json options = Json::array();
  for (const OptionInfo& o : entry.options)
    options.push_back({{"name", o.name},
                       {"kind", enum_name(o.kind)},
                       {"choices", o.kind == OptionKind::choice ? Json(o.choices) : Json(nullptr)},
                       {"allowed", o.allowed},
                       {"default", o.initial.empty() ? Json(nullptr) : Json(o.initial)},
                       {"required", o.required},
                       {"help", o.help}});
  return options;
}

}  // namespace

nlohmann::ordered_json facts_json(const MethodEntry& entry) {
  const MethodTraffic traffic = traffic_of(entry);
  Json fixed = Json::object();
  for (const auto& [key, value] : entry.fixed) fixed[key] = to_text(value);
  Json theory = Json::object();
  for (const TheoryValue& t : entry.theory) theory[t.option] = t.text();
  return {{"name", entry.name},
          {"family", entry.family},
          {"summary", entry.summary},
          {"paper", entry.paper},
          {"rate", entry.rate.text()},
          {"rates", rates_json(entry.rate)},
          {"proved_for", enum_name(entry.rate.proved_for)},
          {"needs", needs_of(entry)},
          {"can", abilities_of(entry)},
          {"reaches_minimizer", entry.reaches_minimizer()},
          {"limit", entry.reaches_minimizer() ? Json(nullptr) : Json(entry.limit)},
          {"start_traffic", traffic_json(traffic.start)},
          {"round_traffic", traffic_json(traffic.round)},
          {"coin_traffic", traffic_json(traffic.coin)},
          {"messages", {{"up", entry.messages.up}, {"down", entry.messages.down}}},
          {"options", options_json(entry)},
          {"fixed", std::move(fixed)},
          {"theory", std::move(theory)}};
}

}  // namespace driftless::app
