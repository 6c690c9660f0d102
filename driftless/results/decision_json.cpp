#include "driftless/results/decision_json.hpp"

#include <limits>
#include <nlohmann/json.hpp>

namespace driftless {

using Json = nlohmann::ordered_json;

Json decision_json(const MethodDecision& decision) {
  Json measured = Json::object();
  for (const auto& [name, value] : decision.measured) measured[name] = value;  // null where it is no finite number
  return {{"chosen", decision.chosen}, {"reason", decision.reason}, {"measured", std::move(measured)}};
}

std::optional<MethodDecision> read_decision(const Json& object) {
  if (!object.contains("decision")) return std::nullopt;
  const Json& json = object.at("decision");
  MethodDecision decision{.chosen = json.at("chosen"), .reason = json.at("reason"), .measured = {}};
  for (const auto& [name, value] : json.at("measured").items())
    decision.measured.emplace_back(name,
                                   value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  return decision;
}

std::string decision_text(const MethodDecision& decision) { return decision.chosen + ": " + decision.reason; }

}  // namespace driftless
