#include "driftless/config/theory_settings.hpp"

#include <algorithm>

namespace driftless {
namespace {

const TheoryValue* find_theory(const MethodEntry& entry, const std::string& option) {
  const auto found = std::ranges::find(entry.theory, option, &TheoryValue::option);
  return found == entry.theory.end() ? nullptr : &*found;
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

[[noreturn]] void reject_values(const ResolvedSettings& resolved, const Constants& c, const std::string& label,
                                const Error& error) {
  std::string values;
  for (const auto& [option, formula] : resolved.theory) {
    const auto used = std::ranges::find(resolved.settings, option, &Settings::value_type::first);
    values += (values.empty() ? "" : ", ") + option + " = " + formula + " = " + to_text(used->second);
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
  ResolvedSettings resolved = resolve_theory_values(entry, settings, constants);
  try {
    entry.make(resolved.settings);
  } catch (const ConfigError& error) { reject_values(resolved, without_rounding(constants), label, error); }
  return resolved;
}

}  // namespace driftless
