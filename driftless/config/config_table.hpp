// Tables of a configuration read into aggregates with fields(): a key goes to the first aggregate that knows it.
#pragma once

#include "driftless/core/check.hpp"
#include "driftless/config/config_document.hpp"

#include <algorithm>

namespace driftless {

template <class... Parts>
std::vector<std::string> names_of_parts() {
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& name : more)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  (add(option_names<Parts>()), ...);
  return names;
}

template <class Part>
bool has_option(std::string_view key) {
  const std::vector<std::string> names = option_names<Part>();
  return std::ranges::find(names, key) != names.end();
}

template <class Part>
bool set_if_known(Part& part, const ConfigKey& key) {
  if (!has_option<Part>(key.name)) return false;
  set_option(part, key.name, key.value);
  return true;
}

// A key with what was seen of it, for messages that have no value of their own.
inline std::string shown(const ConfigKey& key) { return key.name + " = " + to_text(key.value); }

[[noreturn]] inline void throw_unknown_key(const ConfigKey& key, const std::vector<std::string>& known) {
  located(key.place + ": " + shown(key), [&] { detail::throw_unknown_option(key.name, known); });
  throw BrokenInvariant("an unknown key was accepted");
}

template <class... Parts>
void read_table(const ConfigTable& table, Parts&... parts) {
  for (const ConfigKey& key : table.keys) {
    const bool known = located(key.place, [&] { return (set_if_known(parts, key) || ...); });
    if (!known) throw_unknown_key(key, names_of_parts<Parts...>());
  }
  located(table.place, [&] { (require_complete(parts), ...); });
}

}  // namespace driftless
