#include "driftless/problems/problem_kind.hpp"

namespace driftless {

void reject_key(const ConfigTable& table, std::string_view key, const std::string& what, const std::string& advice) {
  const ConfigKey* found = table.find(key);
  const std::string seen = found != nullptr ? found->location + ": " + shown(*found) : table.location;
  throw ConfigError({.what = what, .seen = seen, .advice = advice});
}

}  // namespace driftless
