#include "driftless/methods/method_entry.hpp"

#include <algorithm>

namespace driftless {

namespace {

[[noreturn]] void reject_options(const MethodEntry& entry, const TheoryValue& value) {
  throw ConfigError({.what = "the theory of '" + entry.name + "' gives no value for '" + value.option +
                             "' with these options and this problem",
                     .seen = value.option + " = \"theory\"; known: " + value.text(),
                     .advice = "give a number"});
}

}  // namespace

const MethodEntry& entry_for(const MethodEntry& entry, const Settings& given) {
  const auto inner =
      std::find_if(given.rbegin(), given.rend(), [](const auto& setting) { return setting.first == "inner"; });
  const auto* name = inner == given.rend() ? nullptr : std::get_if<std::string>(&inner->second);
  if (!entry.around || name == nullptr) return entry;
  const auto found = entry.around->find(*name);
  return found == entry.around->end() ? entry : found->second;
}

bool needs_noise(const MethodEntry& entry, const Settings& given) {
  return entry.noise_enters && values_of(entry, given).is("solver", "sgd");
}

bool theory_uses_similarity(const MethodEntry& entry) {
  return std::ranges::any_of(entry.theory,
                             [](const TheoryValue& value) { return value.text().find("δ") != std::string::npos; });
}

bool has_option(const MethodEntry& entry, const std::string& option) {
  return std::any_of(entry.options.begin(), entry.options.end(), [&](const OptionInfo& o) { return o.name == option; });
}

OptionValues values_of(const MethodEntry& entry, const Settings& given) {
  const MethodEntry& e = entry_for(entry, given);
  return {e.options, e.fixed, given};
}

ResolvedSettings resolve_theory_values(const MethodEntry& entry, Settings settings, const Constants& constants) {
  const Constants c = without_rounding(constants);
  ResolvedSettings resolved{.settings = std::move(settings), .theory = {}};
  for (const TheoryValue& value : entry_for(entry, resolved.settings).theory) {
    const auto setting = std::ranges::find(resolved.settings, value.option, &Settings::value_type::first);
    if (setting == resolved.settings.end() || !asks_for_theory(setting->second)) continue;
    const OptionValues options = values_of(entry, resolved.settings);
    const TheoryInput input{c, options};
    const TheoryCase* one = value.at(input);
    if (one == nullptr) reject_options(entry, value);
    setting->second = one->value(input);
    resolved.theory.push_back({value.option, one->formula});
  }
  return resolved;
}

Settings theory_settings(const MethodEntry& entry, const Constants& constants, const Settings& given) {
  Settings settings = given;
  for (const TheoryValue& t : entry_for(entry, given).theory)
    if (std::ranges::find(given, t.option, &Settings::value_type::first) == given.end())
      settings.emplace_back(t.option, "theory");
  return resolve_theory_values(entry, std::move(settings), constants).settings;
}

Theorems theorems_of(const MethodEntry& entry, const Settings& settings, const TheoremFacts& facts) {
  return entry.theorems ? entry.theorems(settings, facts) : Theorems{};
}

}  // namespace driftless
