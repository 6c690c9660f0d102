#include "driftless/methods/catalog.hpp"

#include "driftless/methods/catalog_entry.hpp"

namespace driftless {

const std::vector<MethodEntry>& method_catalog() {
  static const std::vector<MethodEntry> catalog = [] {
    const std::vector<std::pair<std::string, std::vector<MethodEntry>>> families{
        {"baselines", baseline_entries()},      {"skipping", skipping_entries()}, {"momentum", momentum_entries()},
        {"primal-dual", primal_dual_entries()}, {"dane", dane_entries()},         {"dane-line", dane_line_entries()},
        {"fedred", fedred_entries()},           {"graph", graph_entries()},       {"nets", nets_entries()}};
    std::vector<MethodEntry> all;
    for (const auto& [family, entries] : families)
      for (MethodEntry entry : entries) {
        entry.family = family;
        all.push_back(std::move(entry));
      }
    return all;
  }();
  return catalog;
}

const MethodEntry& find_method(const std::string& name) {
  std::vector<std::string> known;
  for (const MethodEntry& e : method_catalog()) {
    if (e.name == name) return e;
    known.push_back(e.name);
  }
  const std::string near = nearest(name, known);
  throw ConfigError({.what = "there is no method '" + name + "'",
                     .seen = "name = " + toml_string(name),
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known: " + join(known)});
}

}  // namespace driftless
