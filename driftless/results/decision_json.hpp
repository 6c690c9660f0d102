// What a method decided by itself, as the member `decision` of JSON files and back.
#pragma once

#include "driftless/methods/method.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace driftless {

nlohmann::ordered_json decision_json(const MethodDecision& decision);

// Of the object that may have this member. Throws as nlohmann::json does where it is not what decision_json makes.
std::optional<MethodDecision> read_decision(const nlohmann::ordered_json& object);

// "chosen: reason", for one line.
std::string decision_text(const MethodDecision& decision);

}  // namespace driftless
