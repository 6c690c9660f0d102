#include "driftless/peers/site_policy.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/objectives/glm/family.hpp"
#include "driftless/problems/kinds.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace driftless {
namespace {

constexpr std::size_t digest_length = 64;

bool is_digest(const std::string& text) {
  return text.size() == digest_length && std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c); });
}

void require_known(const StatedPolicy& stated, const char* key, const std::vector<std::string>& names,
                   const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (std::ranges::count(known, name) > 0) continue;
    const std::string near = nearest(name, known);
    throw ConfigError({.what = "'" + std::string(key) + "' has a name that does not exist: '" + name + "'",
                       .seen = stated.shown(key),
                       .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known: " + join(known)});
  }
}

void require_names(const StatedPolicy& stated) {
  std::vector<std::string> kinds, methods;
  for (const ProblemKind& kind : problem_kinds()) kinds.push_back(kind.name);
  for (const MethodEntry& method : method_catalog()) methods.push_back(method.name);
  require_known(stated, "kinds", stated->kinds, kinds);
  require_known(stated, "families", stated->families, OptionType<Family>::choices());
  require_known(stated, "methods", stated->methods, methods);
  if (!std::ranges::all_of(stated->schema_digests, is_digest))
    throw ConfigError({.what = "'schema_digests' has a text that is no SHA-256",
                       .seen = stated.shown("schema_digests"),
                       .advice = "give 64 hexadecimal digits, as 'driftless join --dry-run' prints them"});
}

ConfigTable file_of(const PolicyRequest& request) {
  if (request.file.empty()) return {.location = "the command line", .keys = {}};
  try {
    return parse_keys(read_input_file(request.file), request.file);
  } catch (const DataError& error) {
    throw ConfigError({.what = "the policy cannot be read",
                       .seen = "--policy " + request.file + ": " + error.info().what,
                       .advice = "give the path of a TOML file; docs/federation.md has its keys"});
  }
}

}  // namespace

StatedPolicy::StatedPolicy(ConfigTable stated) : stated_(std::move(stated)) {
  read_table(stated_, policy_);
  require_names(*this);
}

std::string StatedPolicy::shown(std::string_view key) const {
  const ConfigKey* found = stated_.find(key);
  return found != nullptr ? found->location + ": " + driftless::shown(*found) : stated_.location;
}

std::string StatedPolicy::text() const {
  std::vector<std::string> keys;
  for (const ConfigKey& key : stated_.keys) keys.push_back(driftless::shown(key));
  return join(keys, "; ");
}

StatedPolicy read_policy(const PolicyRequest& request) {
  ConfigTable stated = file_of(request);
  // The schema beside the policy, wherever the command is started.
  if (const ConfigKey* schema = stated.find("schema"); schema != nullptr)
    if (const auto* name = std::get_if<std::string>(&schema->value); name != nullptr && !name->empty())
      stated.set({.name = schema->name,
                  .value = (std::filesystem::path(request.file).parent_path() / *name).string(),
                  .location = schema->location});
  if (!request.methods.empty())
    stated.set({.name = "methods", .value = request.methods, .location = "--allow-methods"});
  if (request.most_rounds)
    stated.set(
        {.name = "max_rounds", .value = static_cast<std::int64_t>(*request.most_rounds), .location = "--max-rounds"});
  return StatedPolicy(std::move(stated));
}

}  // namespace driftless
