#include "driftless/config/theory_settings.hpp"

#include <algorithm>

namespace driftless {
namespace {

const TheoryValue* find_theory(const MethodEntry& entry, const std::string& option) {
  const auto found = std::ranges::find(entry.theory, option, &TheoryValue::option);
  return found == entry.theory.end() ? nullptr : &*found;
}

Settings with_theory(const MethodEntry& entry, Settings settings, const Constants& constants) {
  for (auto& [option, value] : settings)
    if (asks_for_theory(value)) value = find_theory(entry, option)->value(constants);
  return settings;
}

// The assumption of a theorem that these constants violate.
std::string failed_assumption(const Constants& c) {
  if (!(c.mu > 0.0))
    return "the theorem assumes that every f_i is strongly convex, mu > 0, and here mu = " + number(c.mu) +
           ": add l2, or give a number";
  if (!(c.delta_A > 0.0))
    return "the theorem assumes clients that differ, delta_A > 0, and here delta_A = " + number(c.delta_A) +
           ": give a number";
  return "the theorem does not fit these constants: give a number";
}

[[noreturn]] void reject_values(const MethodEntry& entry, const Settings& settings, const Constants& c,
                                const std::string& label, const Error& error) {
  std::string values;
  for (const auto& [option, value] : settings)
    if (asks_for_theory(value)) {
      const TheoryValue& t = *find_theory(entry, option);
      values += (values.empty() ? "" : ", ") + option + " = " + t.formula + " = " + to_text(t.value(c));
    }
  throw ConfigError({.what = "the theory of '" + label + "' has no usable value here: " + error.info().what,
                     .seen = values + " with L = " + number(c.L) + ", mu = " + number(c.mu) +
                             ", delta_A = " + number(c.delta_A) + ", delta_B = " + number(c.delta_B),
                     .advice = failed_assumption(c)});
}

}  // namespace

bool asks_for_theory(const Settings& settings) {
  return std::ranges::any_of(settings, [](const auto& setting) { return asks_for_theory(setting.second); });
}

void require_theory(const MethodEntry& entry, const std::string& option) {
  if (find_theory(entry, option) != nullptr) return;
  std::vector<std::string> known;
  for (const TheoryValue& t : entry.theory) known.push_back(t.option);
  throw ConfigError({.what = "the theory of '" + entry.name + "' gives no value for '" + option + "'",
                     .seen = option + " = \"theory\"",
                     .advice = known.empty()
                                   ? "give a value: no option of this method has one from theory"
                                   : "give a value; options of this method that can be \"theory\": " + join(known)});
}

ResolvedSettings resolve_settings(const MethodEntry& entry, const Settings& settings, const Constants& constants,
                                  const std::string& label) {
  ResolvedSettings resolved{.settings = with_theory(entry, settings, constants), .theory = {}};
  try {
    entry.make(resolved.settings);
  } catch (const ConfigError& error) { reject_values(entry, settings, constants, label, error); }
  for (const auto& [option, value] : settings)
    if (asks_for_theory(value)) resolved.theory.push_back({option, find_theory(entry, option)->formula});
  return resolved;
}

}  // namespace driftless
