#include "driftless/methods/catalog.hpp"

#include "driftless/methods/catalog_entry.hpp"

namespace driftless {

const std::vector<MethodEntry>& method_catalog() {
  static const std::vector<MethodEntry> catalog = [] {
    std::vector<MethodEntry> all;
    const auto add_family = [&](const char* family, std::vector<MethodEntry> entries) {
      for (MethodEntry& entry : entries) {
        entry.family = family;
        all.push_back(std::move(entry));
      }
    };
    add_family("baselines", baseline_entries());
    add_family("skipping", skipping_entries());
    add_family("momentum", momentum_entries());
    add_family("primal-dual", primal_dual_entries());
    add_family("dane", dane_entries());
    add_family("dane-line", dane_line_entries());
    add_family("fedred", fedred_entries());
    add_family("graph", graph_entries());
    add_family("nets", nets_entries());
    add_family("stabilized", stabilized_entries());
    add_family("sampled", sampled_entries());
    add_family("second-order", second_order_entries());
    add_family("adaptive", adaptive_entries());
    add_family("automatic", automatic_entries());
    return all;
  }();
  return catalog;
}

const MethodEntry& find_method(const std::string& name) {
  const std::vector<MethodEntry>& catalog = method_catalog();
  const auto found = std::ranges::find(catalog, name, &MethodEntry::name);
  if (found != catalog.end()) return *found;
  std::vector<std::string> known;
  for (const MethodEntry& e : catalog) known.push_back(e.name);
  const std::string near = nearest(name, known);
  throw ConfigError({.what = "there is no method '" + name + "'",
                     .seen = "name = " + toml_string(name),
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known: " + join(known)});
}

}  // namespace driftless
