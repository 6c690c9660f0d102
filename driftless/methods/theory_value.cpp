#include "driftless/methods/theory_value.hpp"

#include "driftless/methods/method_entry.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace driftless {
namespace {

[[noreturn]] void reject_options(const MethodEntry& entry, const TheoryValue& value) {
  throw ConfigError({.what = "the theory of '" + entry.name + "' gives no value for '" + value.option +
                             "' with these options and this problem",
                     .seen = value.option + " = \"theory\"; known: " + value.text(),
                     .advice = "give a number"});
}

}  // namespace

OptionValues::OptionValues(const MethodEntry& entry, const Settings& given) {
  for (const OptionInfo& option : entry.options) lines_.emplace_back(option.name, option.initial);
  for (const auto& [name, value] : entry.fixed) lines_.emplace_back(name, to_text(value));
  for (const auto& [name, value] : given) {
    const auto line = std::ranges::find(lines_, name, &OptionLines::value_type::first);
    if (line != lines_.end()) line->second = asks_for_theory(value) ? "" : to_text(value);
  }
}

const std::string* OptionValues::find(std::string_view name) const {
  const auto line = std::ranges::find(lines_, name, &OptionLines::value_type::first);
  return line == lines_.end() ? nullptr : &line->second;
}

double OptionValues::number(std::string_view name) const {
  double value = std::numeric_limits<double>::quiet_NaN();
  if (const std::string* text = find(name)) std::from_chars(text->data(), text->data() + text->size(), value);
  return value;
}

bool OptionValues::is(std::string_view name, std::string_view choice) const {
  const std::string* text = find(name);
  return text != nullptr && *text == toml_string(choice);
}

double TheoryInput::cohort() const {
  const double given = options.number("cohort");
  return given > 0.0 ? std::min(given, n()) : n();
}

const TheoryCase* TheoryValue::at(const TheoryInput& input) const {
  const auto found =
      std::ranges::find_if(cases, [&](const TheoryCase& one) { return !one.applies || one.applies(input); });
  return found == cases.end() ? nullptr : &*found;
}

std::string TheoryValue::text() const {
  std::string all;
  for (const TheoryCase& one : cases)
    all += (all.empty() ? "" : "; ") + (one.condition.empty() ? "" : one.condition + ": ") +
           (one.condition.empty() && cases.size() > 1 ? "otherwise: " : "") + one.formula;
  return all;
}

ResolvedSettings resolve_theory_values(const MethodEntry& entry, Settings settings, const Constants& constants) {
  const Constants c = without_rounding(constants);
  ResolvedSettings resolved{.settings = std::move(settings), .theory = {}};
  for (const TheoryValue& value : entry.theory) {
    const auto setting = std::ranges::find(resolved.settings, value.option, &Settings::value_type::first);
    if (setting == resolved.settings.end() || !asks_for_theory(setting->second)) continue;
    const OptionValues options(entry, resolved.settings);
    const TheoryInput input{c, options};
    const TheoryCase* one = value.at(input);
    if (one == nullptr) reject_options(entry, value);
    setting->second = one->value(input);
    resolved.theory.push_back({value.option, one->formula});
  }
  return resolved;
}

Constants without_rounding(Constants constants) {
  if (constants.convex()) constants.mu = std::max(constants.mu, 0.0);
  if (constants.mean_convex()) constants.mu_f = std::max(constants.mu_f, 0.0);
  return constants;
}

}  // namespace driftless
