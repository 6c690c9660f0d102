#include "driftless/methods/theory_value.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

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

OptionValues::OptionValues(const std::vector<OptionInfo>& offered, const Settings& fixed, const Settings& given) {
  for (const OptionInfo& option : offered) lines_.emplace_back(option.name, option.initial);
  for (const auto& [name, value] : fixed) lines_.emplace_back(name, to_text(value));
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

Constants without_rounding(Constants constants) {
  if (constants.convex()) constants.mu = std::max(constants.mu, 0.0);
  if (constants.mean_convex()) constants.mu_f = std::max(constants.mu_f, 0.0);
  return constants;
}

}  // namespace driftless
