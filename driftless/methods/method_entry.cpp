#include "driftless/methods/method_entry.hpp"

#include <algorithm>
#include <iterator>

namespace driftless {

bool asks_for_theory(const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == "theory";
}

Settings asked_of_theory(const Settings& settings) {
  Settings asked;
  std::ranges::copy_if(settings, std::back_inserter(asked), [](const auto& s) { return asks_for_theory(s.second); });
  return asked;
}

bool has_option(const MethodEntry& entry, const std::string& option) {
  return std::any_of(entry.options.begin(), entry.options.end(), [&](const OptionInfo& o) { return o.name == option; });
}

Settings theory_settings(const MethodEntry& entry, const Constants& constants, const Settings& given) {
  Settings settings = given;
  for (const TheoryValue& t : entry.theory)
    if (std::ranges::find(given, t.option, &Settings::value_type::first) == given.end())
      settings.emplace_back(t.option, "theory");
  return resolve_theory_values(entry, std::move(settings), constants).settings;
}

Theorems theorems_of(const MethodEntry& entry, const Settings& settings, const TheoremFacts& facts) {
  return entry.theorems ? entry.theorems(settings, facts) : Theorems{};
}

}  // namespace driftless
