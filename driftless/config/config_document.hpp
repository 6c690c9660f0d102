// A configuration as it was written: keys and values with their locations, not yet interpreted.
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
  std::string location;  // "file:line", a flag or an environment variable
};

struct ConfigTable {
  std::string location;  // of its first line
  std::vector<ConfigKey> keys;

  const ConfigKey* find(std::string_view name) const;
  void set(ConfigKey key);  // replaces an earlier one of the same name
};

// An option to be searched: a list of values, or a range, which is a table.
struct SearchKey {
  std::string name;
  std::string location;
  std::vector<OptionValue> values;
  ConfigTable range;  // with an empty location where values are listed

  bool is_range() const { return !range.location.empty(); }
};
struct SearchTable {
  std::string location;  // empty where the method has no such table
  std::vector<SearchKey> keys;
};

struct ConfigDocument {
  ConfigTable top;
  ConfigTable problem;
  ConfigTable federation;
  ConfigTable stop;
  ConfigTable output;
  ConfigTable network;
  ConfigTable inspect;
  ConfigTable tune;
  ConfigTable budget;  // [tune.budget]
  std::vector<ConfigTable> methods;
  std::vector<SearchTable> searches;  // [method.search], one per method

  // The table of that name, or null.
  ConfigTable* table(std::string_view name);
};

[[noreturn]] void throw_unknown_table(const std::string& name, const std::string& seen);

// ConfigError if the file cannot be read, is not TOML, or has unknown tables or values of unsupported types.
ConfigDocument read_document(const std::filesystem::path& file);
ConfigDocument parse_document(std::string_view text, const std::string& name);

// A document of another form: keys, and one list of tables.
struct ListDocument {
  ConfigTable top;
  std::vector<ConfigTable> tables;  // [[list]], in their order
};
ListDocument parse_list_document(std::string_view text, const std::string& name, const std::string& list);
// A document of keys alone.
ConfigTable parse_keys(std::string_view text, const std::string& name);

// A TOML value, or the text itself where it is not TOML, so that flags need no quotes.
OptionValue parse_value(std::string_view text);

// One line `key = value` for each option; the values are TOML.
std::string toml_lines(const std::vector<std::pair<std::string, std::string>>& options);

// Runs `work`. An Error that it throws gets the location in front of the value seen.
template <class Work>
decltype(auto) located(const std::string& location, Work&& work) {
  try {
    return work();
  } catch (Error& error) {
    error.locate(location);
    throw;
  }
}

// The location of the key, or of the table where the key was not written.
const std::string& location_of(const ConfigTable& table, std::string_view key);
// The location of the key that the error names, or of the table where it names none of its keys.
std::string location_of(const ConfigTable& table, const Error& error);

template <class Work>
decltype(auto) located(const ConfigTable& table, Work&& work) {
  try {
    return work();
  } catch (Error& error) {
    error.locate(location_of(table, error));
    throw;
  }
}

}  // namespace driftless
