#include "driftless/tuning/default_space.hpp"

#include "driftless/config/method_config.hpp"
#include "driftless/methods/catalog.hpp"

#include <algorithm>

namespace driftless {
namespace {

const MethodEntry* entry_of(const ConfigTable& method) {
  const ConfigKey* name = method.find("name");
  const auto* text = name != nullptr ? std::get_if<std::string>(&name->value) : nullptr;
  if (text == nullptr) return nullptr;
  const auto found = std::ranges::find(method_catalog(), *text, &MethodEntry::name);
  return found == method_catalog().end() ? nullptr : &*found;
}

bool is_number(const OptionValue& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

// The whole number where the option takes those only: a file may give 5 for 5.0.
OptionValue of_kind(const OptionValue& value, const OptionInfo& option) {
  if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && option.kind == OptionKind::number)
    return static_cast<double>(*whole);
  return value;
}

bool accepted(const MethodEntry& entry, const ConfigTable& method, const std::string& option,
              const OptionValue& value) {
  Settings settings;
  for (const ConfigKey& key : method.keys)
    if (has_option(entry, key.name)) settings.emplace_back(key.name, key.value);
  try {
    entry.check(with(std::move(settings), {{option, value}}));
    return true;
  } catch (const ConfigError&) { return false; }
}

// The multiples of a number that the method accepts, each once.
SearchAxis around(const DefaultRange& range, const OptionValue& value, const MethodEntry& entry,
                  const ConfigTable& method) {
  std::vector<OptionValue> values;
  for (const double multiple : range.multiples) {
    OptionValue next = multiplied(value, multiple);
    const bool known = !values.empty() && values.back() == next;
    if (!known && accepted(entry, method, range.option, next)) values.push_back(std::move(next));
  }
  return {.option = range.option, .values = std::move(values)};
}

std::optional<SearchAxis> axis_of(const DefaultRange& range, const MethodEntry& entry, const ConfigTable& method) {
  const auto option = std::ranges::find(entry.options, range.option, &OptionInfo::name);
  const ConfigKey* given = method.find(range.option);
  if (!range.values.empty())
    return given == nullptr ? std::optional(SearchAxis{.option = range.option, .values = range.values}) : std::nullopt;
  const bool theory = std::ranges::find(entry.theory, range.option, &TheoryValue::option) != entry.theory.end();
  if (given != nullptr && asks_for_theory(given->value) && theory)
    return SearchAxis{.option = range.option,
                      .values = std::vector<OptionValue>(range.multiples.begin(), range.multiples.end()),
                      .of_theory = true};
  const OptionValue value = of_kind(given != nullptr ? given->value : parse_value(option->initial), *option);
  const bool usable = is_number(value) && value != OptionValue(0.0) && value != OptionValue(std::int64_t{0});
  if (!usable) return std::nullopt;
  SearchAxis axis = around(range, value, entry, method);
  return grid_values(axis).empty() ? std::nullopt : std::optional(std::move(axis));
}

}  // namespace

ConfigTable with_theory(ConfigTable method) {
  const MethodEntry* entry = entry_of(method);
  if (entry == nullptr) return method;
  const bool bare = std::ranges::none_of(entry->options, [&](const OptionInfo& o) { return method.find(o.name); });
  for (const TheoryValue& value : entry->theory) {
    const auto option = std::ranges::find(entry->options, value.option, &OptionInfo::name);
    if (option != entry->options.end() && method.find(value.option) == nullptr && (bare || option->required))
      method.set({.name = value.option, .value = std::string("theory"), .location = method.location});
  }
  return method;
}

SearchSpace default_space(const ConfigTable& method) {
  SearchSpace space;
  const MethodEntry* entry = entry_of(method);
  if (entry == nullptr) return space;
  for (const DefaultRange& range : entry->ranges)
    if (std::optional<SearchAxis> axis = axis_of(range, *entry, method)) space.push_back(std::move(*axis));
  return space;
}

}  // namespace driftless
