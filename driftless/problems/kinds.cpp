#include "driftless/problems/kinds.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/objectives/quadratic/quadratic_spec.hpp"
#include "driftless/problems/glm/glm_keys.hpp"
#include "driftless/problems/glm/glm_kind.hpp"
#include "driftless/problems/linear/linear_keys.hpp"
#include "driftless/problems/linear/linear_kind.hpp"
#include "driftless/problems/own/own_kind.hpp"
#include "driftless/problems/quadratic_kind.hpp"
#include "driftless/problems/torch_kind.hpp"

#include <algorithm>

namespace driftless {
namespace {

std::vector<ProblemKind> list_kinds() {
  std::vector<ProblemKind> kinds{quadratic_kind()};
  for (const LossInfo& loss : loss_catalog()) kinds.push_back(linear_kind(loss));
  kinds.push_back(glm_kind());
  kinds.push_back(torch_kind());
  kinds.push_back(own_kind());
  return kinds;
}

std::string names_of(std::span<const ProblemKind> kinds) {
  std::vector<std::string> names;
  for (const ProblemKind& kind : kinds) names.push_back(kind.name);
  return join(names, " | ");
}

const ProblemKind& find_kind(const ConfigTable& table, std::span<const ProblemKind> kinds) {
  const ConfigKey* key = table.find("kind");
  if (key == nullptr)
    throw ConfigError({.what = "the problem has no 'kind'",
                       .seen = table.location + ": [problem]",
                       .advice = "give kind = " + names_of(kinds)});
  const auto found =
      std::ranges::find_if(kinds, [&](const ProblemKind& kind) { return key->value == OptionValue(kind.name); });
  if (found == kinds.end())
    throw ConfigError({.what = "'kind' has a value that is not allowed",
                       .seen = key->location + ": kind = " + to_text(key->value),
                       .advice = "give " + names_of(kinds)});
  return *found;
}

}  // namespace

const std::vector<ProblemKind>& problem_kinds() {
  static const std::vector<ProblemKind> kinds = list_kinds();
  return kinds;
}

ProblemConfig read_problem(const ConfigTable& table, FederationConfig& federation, std::size_t seed,
                           std::span<const ProblemKind> kinds) {
  const ProblemKind& kind = find_kind(table, kinds);
  ProblemConfig problem{.kind = kind.name, .seed = seed, .source = table};
  problem.spec = kind.read(table, federation, problem);
  return problem;
}

bool is_usual_problem_key(const std::string& kind, const std::string& key, const std::string& value) {
  if (kind == "quadratic") return is_default_of<ProblemKeys, QuadraticSpec>(key, value);
  if (kind == "glm") return is_default_of<ProblemKeys, GlmKeys>(key, value);
  if (kind == "own") return is_default_of<ProblemKeys, OwnKeys>(key, value);
  return is_default_of<ProblemKeys, LinearKeys, FileKeys, SparseClassificationSpec>(key, value);
}

}  // namespace driftless
