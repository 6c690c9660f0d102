// A configuration as it was written: keys and values with the place where each stands, before anybody asks what they
// mean.
#pragma once

#include "driftless/core/options.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct ConfigKey {
  std::string name;
  OptionValue value;
  std::string place;  // "file:line", a flag or an environment variable
};

struct ConfigTable {
  std::string place;  // where it begins
  std::vector<ConfigKey> keys;

  const ConfigKey* find(std::string_view name) const;
  void set(ConfigKey key);  // replaces an earlier one of the same name
};

// An option that is searched: a list of values, or a range as a table of its own.
struct SearchKey {
  std::string name;
  std::string place;
  std::vector<OptionValue> values;
  ConfigTable range;  // its place is empty where values are listed

  bool is_range() const { return !range.place.empty(); }
};
struct SearchTable {
  std::string place;  // empty where there is none
  std::vector<SearchKey> keys;
};

struct ConfigDocument {
  ConfigTable top;
  ConfigTable problem;
  ConfigTable federation;
  ConfigTable stop;
  ConfigTable output;
  ConfigTable network;
  ConfigTable tune;
  ConfigTable budget;  // [tune.budget]
  std::vector<ConfigTable> methods;
  std::vector<SearchTable> searches;  // [method.search], one per method

  // The table of that name, or null.
  ConfigTable* table(std::string_view name);
};

[[noreturn]] void throw_unknown_table(const std::string& name, const std::string& seen);

// ConfigError if the file cannot be read, is not TOML, or has tables or kinds of values that are not used here.
ConfigDocument read_document(const std::filesystem::path& file);
ConfigDocument parse_document(std::string_view text, const std::string& name);

// A TOML value, or the text itself where it is none: for flags, in which quotes would be a burden.
OptionValue parse_value(std::string_view text);

// One line `key = value` each, for values that are TOML already.
std::string toml_lines(const std::vector<std::pair<std::string, std::string>>& options);

// Runs `work`; an Error that leaves it gets the place in front of what was seen.
template <class Work>
decltype(auto) located(const std::string& place, Work&& work) {
  try {
    return work();
  } catch (Error& error) {
    error.locate(place);
    throw;
  }
}

// The place of the key that the error speaks of, or of the table where it speaks of none of its keys.
std::string place_of(const ConfigTable& table, const Error& error);

template <class Work>
decltype(auto) located(const ConfigTable& table, Work&& work) {
  try {
    return work();
  } catch (Error& error) {
    error.locate(place_of(table, error));
    throw;
  }
}

}  // namespace driftless
