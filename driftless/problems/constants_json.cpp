#include "driftless/problems/constants_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace driftless {

using Json = nlohmann::ordered_json;

Json constants_json(const Constants& constants) {
  Json json = Json::object();
  for (const ConstantInfo& constant : constant_list) json[constant.name] = constants.*constant.member;
  return json;
}

Json constants_document(const ProblemConstants& constants) {
  Json json{{"schema_version", 2},
            {"at", constants.at},
            {"method", constants.exact ? "exact" : "lanczos"},
            {"n", constants.values.clients}};
  json.update(constants_json(constants.values));
  json["L_sample"] = constants.values.L_sample > 0.0 ? Json(constants.values.L_sample) : Json(nullptr);
  if (constants.values.noise.known()) json["sigma_sample"] = std::sqrt(constants.values.noise.of_batches(1.0));
  json["tolerance"] = constants.tolerance;
  json["converged"] = constants.converged;
  json["errors"] = constants_json(constants.errors);
  return json;
}

std::string constants_file_text(const ProblemConstants& constants) {
  return constants_document(constants).dump(2) + "\n";
}

}  // namespace driftless
