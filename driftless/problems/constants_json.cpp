#include "driftless/problems/constants_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace driftless {

using Json = nlohmann::ordered_json;

Json problem_json(const Problem& problem) {
  const ProblemFacts& facts = problem.facts;
  Json json{{"kind", facts.kind}, {"summary", problem.summary}};
  json["data"] = facts.data.empty() ? Json(nullptr) : Json(facts.data);
  json["sha256"] = problem.data.size() == 1 ? Json(problem.data.front().digest) : Json(nullptr);
  json["rows"] = facts.data.empty() ? Json(nullptr) : Json(facts.rows);
  json["columns"] = problem.dim();
  json["clients"] = problem.n;
  json["split"] = facts.split.empty() ? Json(nullptr) : Json(facts.split);
  json["l2"] = problem.l2 ? Json(*problem.l2) : Json(nullptr);
  json["minimum"] = problem.reference ? Json(problem.reference->minimum) : Json(nullptr);
  json["minimum_error"] = problem.reference ? Json(problem.reference->error) : Json(nullptr);
  return json;
}

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
