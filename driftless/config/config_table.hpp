// Reads tables of a configuration into aggregates with fields(). A key goes to the first aggregate that has it.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {

template <class... Options>
std::vector<std::string> all_option_names() {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& name : more)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  (add(option_names<Options>()), ...);
  return names;
}

template <class Options>
bool has_option(std::string_view key) {
  const std::vector<std::string> names = option_names<Options>();
  return std::ranges::find(names, key) != names.end();
}

// Whether one of these aggregates has an option of this name with this default, as TOML text.
template <class... Options>
bool is_default_of(const std::string& key, const std::string& value) {
  const auto has_it = [&](const std::vector<OptionInfo>& options) {
    return std::ranges::any_of(options, [&](const OptionInfo& o) { return o.name == key && o.initial == value; });
  };
  return (has_it(describe_options<Options>()) || ...);
}

template <class Options>
bool set_if_known(Options& options, const ConfigKey& key) {
  if (!has_option<Options>(key.name)) return false;
  set_option(options, key.name, key.value);
  return true;
}

// "key = value", for messages.
inline std::string shown(const ConfigKey& key) { return key.name + " = " + to_text(key.value); }

[[noreturn]] inline void throw_unknown_key(const ConfigKey& key, const std::vector<std::string>& known) {
  located(key.location + ": " + shown(key), [&] { detail::throw_unknown_option(key.name, known); });
  throw BrokenInvariant("an unknown key was accepted");
}

template <class... Options>
void read_table(const ConfigTable& table, Options&... options) {
  for (const ConfigKey& key : table.keys) {
    const bool known = located(key.location, [&] { return (set_if_known(options, key) || ...); });
    if (!known) throw_unknown_key(key, all_option_names<Options...>());
  }
  located(table.location, [&] { (require_complete(options), ...); });
}

}  // namespace driftless
