#include "driftless/methods/catalog_entry.hpp"

#include <iterator>

namespace driftless {

void detail::reject_hidden(const Presets& presets, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    if (std::ranges::find(presets.unused, key) != presets.unused.end())
      throw ConfigError({.what = "'" + key + "' has no effect on '" + presets.name + "'",
                         .seen = key + " = " + to_text(value),
                         .advice = "remove it, or use a method that takes batches (see 'driftless methods')"});
    if (names(presets.fixed, key))
      throw ConfigError({.what = "'" + key + "' is settled by the name '" + presets.name + "'",
                         .seen = key + " = " + to_text(value),
                         .advice = "remove it, or use the general method (see 'driftless methods')"});
  }
}

std::vector<MethodEntry> joined(std::vector<MethodEntry> first, std::vector<MethodEntry> second) {
  std::ranges::move(second, std::back_inserter(first));
  return first;
}

}  // namespace driftless
