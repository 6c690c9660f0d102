#include "driftless/methods/catalog_entry.hpp"

#include <iterator>

namespace driftless {

void detail::reject_hidden(const Presets& presets, const Settings& settings) {
  for (const auto& [key, value] : settings) {
    if (std::ranges::find(presets.unused, key) != presets.unused.end())
      throw ConfigError({.what = "'" + key + "' has no effect on '" + presets.name + "'",
                         .seen = key + " = " + to_text(value),
                         .advice =
                             "remove it, or use a method that takes batches (see 'driftless methods'); a run that an "
                             "earlier version began with it cannot be resumed: run it again without it"});
    if (names(presets.fixed, key))
      throw ConfigError({.what = "'" + key + "' is settled by the name '" + presets.name + "'",
                         .seen = key + " = " + to_text(value),
                         .advice = "remove it, or use the general method (see 'driftless methods')"});
  }
}

namespace {

const OptionValue* find_setting(const Settings& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &Settings::value_type::first);
  return found == settings.end() ? nullptr : &found->second;
}

std::optional<double> number_of(const OptionValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::nullopt;
}

OptionValue product_of(const OptionProduct& product, const Settings& settings) {
  double value = 1.0;
  for (const std::string& name : {product.first, product.second}) {
    const OptionValue* factor = find_setting(settings, name);
    if (factor != nullptr && asks_for_theory(*factor)) return std::string("theory");
    const std::optional<double> known = factor != nullptr ? number_of(*factor) : std::nullopt;
    if (!known)
      throw ConfigError({.what = "'" + product.option + "' is the product of '" + product.first + "' and '" +
                                 product.second + "', of which one is no number",
                         .seen = name + (factor != nullptr ? " = " + to_text(*factor) : " is missing"),
                         .advice = "give both, or a number for '" + product.option + "'"});
    value *= *known;
  }
  return value;
}

}  // namespace

Settings detail::with_products(const Presets& presets, Settings settings) {
  for (const OptionProduct& product : presets.products) {
    const auto setting = std::ranges::find(settings, product.option, &Settings::value_type::first);
    if (setting == settings.end() || setting->second != OptionValue(product.text())) continue;
    if (const OptionValue* first = find_setting(settings, product.first); first != nullptr && asks_for_theory(*first))
      throw ConfigError(
          {.what = "'" + product.option + "' follows from '" + product.first +
                   "', whose value from "
                   "theory follows from '" +
                   product.option + "'",
           .seen = product.option + " = " + toml_string(product.text()) + ", " + product.first + " = \"theory\"",
           .advice = "give a number for one of them"});
    setting->second = product_of(product, settings);
  }
  return settings;
}

Settings detail::pending_of(const Presets& presets, const Settings& given) {
  Settings pending = asked_of_theory(with_products(presets, given));
  for (auto& [name, value] : pending) value = *find_setting(given, name);
  return pending;
}

std::vector<MethodEntry> joined(std::vector<MethodEntry> first, std::vector<MethodEntry> second) {
  std::ranges::move(second, std::back_inserter(first));
  return first;
}

}  // namespace driftless
