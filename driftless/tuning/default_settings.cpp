#include "driftless/tuning/default_settings.hpp"

#include "driftless/tuning/default_space.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace driftless {
namespace {

bool accepted(const MethodEntry& entry, const Settings& settings, std::size_t clients) {
  try {
    entry.make(settings)->round_traffic(clients);
    return true;
  } catch (const ConfigError&) { return false; }
}

// The options of the table, with those that are searched in multiples of theory's value as "theory".
Settings asked_settings(const ConfigTable& table, const SearchSpace& space) {
  Settings asked;
  for (const ConfigKey& key : table.keys)
    if (key.name != "name") asked.emplace_back(key.name, key.value);
  for (const SearchAxis& axis : space)
    if (axis.of_theory) asked = with(asked, {{axis.option, std::string("theory")}});
  return asked;
}

std::string text_of(const SearchSpace& space, const Settings& tried, const Settings& chosen) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto* real = std::get_if<double>(&chosen[i].second);
    std::string word =
        space[i].option + " = " + (real != nullptr ? fmt::format("{:.3g}", *real) : to_text(chosen[i].second));
    if (space[i].of_theory) word += fmt::format(" ({:.3g} of theory)", std::get<double>(tried[i].second));
    words.push_back(std::move(word));
  }
  return join(words);
}

}  // namespace

Settings in_numbers(const MethodEntry& entry, const Settings& asked, const SearchSpace& space, Settings chosen,
                    const Constants& constants) {
  const auto multiple_of = [&](const std::string& option) -> std::optional<double> {
    const auto axis = std::ranges::find(space, option, &SearchAxis::option);
    if (axis == space.end() || !axis->of_theory) return std::nullopt;
    return std::get<double>(std::ranges::find(chosen, option, &Settings::value_type::first)->second);
  };
  Settings known = asked;  // "theory" where a multiple is not a number yet
  for (const auto& setting : chosen)
    if (!multiple_of(setting.first)) known = with(known, {setting});
  for (const TheoryValue& value : entry.theory) {
    const std::optional<double> multiple = multiple_of(value.option);
    if (!multiple) continue;
    const Settings usual = resolve_theory_values(entry, known, constants).settings;
    const OptionValue unit = std::ranges::find(usual, value.option, &Settings::value_type::first)->second;
    known = with(known, {{value.option, multiplied(unit, *multiple)}});
  }
  for (auto& [option, value] : chosen) value = std::ranges::find(known, option, &Settings::value_type::first)->second;
  return chosen;
}

std::vector<TunedSetting> default_settings(const MethodEntry& entry, const Constants& constants, std::size_t clients) {
  const ConfigTable named{.location = "", .keys = {{.name = "name", .value = entry.name, .location = ""}}};
  const ConfigTable table = with_theory(named);
  const SearchSpace space = default_space(table);
  const Settings asked = asked_settings(table, space);
  std::vector<TunedSetting> all;
  for (const Settings& tried : grid(space)) {
    try {
      const Settings chosen = in_numbers(entry, asked, space, tried, constants);
      Settings settings = resolve_theory_values(entry, with(asked, chosen), constants).settings;
      if (std::ranges::find(all, settings, &TunedSetting::settings) != all.end()) continue;
      if (accepted(entry, settings, clients)) all.push_back({std::move(settings), text_of(space, tried, chosen)});
    } catch (const ConfigError&) {  // theory has no value for these options
    }
  }
  return all;
}

}  // namespace driftless
