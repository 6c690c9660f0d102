#include "driftless/config/config_document.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <toml++/toml.h>
#include <utility>

namespace driftless {
namespace {

std::optional<OptionValue> plain_value(const toml::node& node) {
  if (const auto* v = node.as_boolean()) return OptionValue(v->get());
  if (const auto* v = node.as_integer()) return OptionValue(v->get());
  if (const auto* v = node.as_floating_point()) return OptionValue(v->get());
  if (const auto* v = node.as_string()) return OptionValue(v->get());
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  std::vector<double> numbers;
  for (const toml::node& item : *array) {
    if (const auto* text = item.as_string()) texts.push_back(text->get());
    else if (const std::optional<double> number = item.value<double>()) numbers.push_back(*number);
    else return std::nullopt;
  }
  if (numbers.empty()) return OptionValue(std::move(texts));
  if (texts.empty()) return OptionValue(std::move(numbers));
  return std::nullopt;
}

class DocumentReader {
 public:
  explicit DocumentReader(std::string file) : file_(std::move(file)) {}

  ConfigDocument read(const toml::table& root) const {
    ConfigDocument document;
    document.top.location = document.problem.location = document.federation.location = file_;
    document.stop.location = document.output.location = document.network.location = document.inspect.location =
        document.tune.location = document.budget.location = file_;
    for (const auto& [key, node] : root) read_top(std::string(key.str()), node, document);
    return document;
  }

  ConfigTable read_keys(const toml::table& root) const {
    ConfigTable keys;
    read_table("", root, keys);
    keys.location = file_;
    return keys;
  }

  ListDocument read_list(const toml::table& root, const std::string& list) const {
    ListDocument document;
    document.top.location = file_;
    for (const auto& [key, node] : root)
      if (key.str() != list) read_key(std::string(key.str()), node, "", document.top);
    if (!root.contains(list)) return document;
    for (const toml::node& item : tables_of(root.at(list), list))
      read_table(list, *item.as_table(), document.tables.emplace_back());
    return document;
  }

 private:
  std::string location(const toml::node& node) const { return file_ + ":" + std::to_string(node.source().begin.line); }

  void read_top(const std::string& key, const toml::node& node, ConfigDocument& document) const {
    if (key == "method") return read_methods(node, document);
    ConfigTable* named = document.table(key);
    const toml::table* table = node.as_table();
    if (table == nullptr && named == nullptr) return read_key(key, node, "", document.top);
    if (table != nullptr && named != nullptr) {
      read_table(key, *table, *named, key == "tune" ? "budget" : "");
      if (key == "tune" && table->contains("budget")) read_budget(table->at("budget"), document.budget);
      return;
    }
    if (table == nullptr)
      throw ConfigError({.what = "'" + key + "' is a table, not a value",
                         .seen = location(node) + ": " + key,
                         .advice = "write [" + key + "] and its keys below it"});
    throw_unknown_table(key, location(node) + ": [" + key + "]");
  }

  const toml::array& tables_of(const toml::node& node, const std::string& name) const {
    const toml::array* array = node.as_array();
    if (array != nullptr && array->is_homogeneous(toml::node_type::table)) return *array;
    throw ConfigError({.what = name + "s are a list of tables",
                       .seen = location(node) + ": " + name,
                       .advice = "write [[" + name + "]], with two brackets, before the keys of each " + name});
  }

  void read_methods(const toml::node& node, ConfigDocument& document) const {
    for (const toml::node& item : tables_of(node, "method")) {
      const toml::table& table = *item.as_table();
      read_table("method", table, document.methods.emplace_back(), "search");
      SearchTable& search = document.searches.emplace_back();
      if (table.contains("search")) read_search(table.at("search"), search);
    }
  }

  // `skipped` is a key that another function reads.
  void read_table(const std::string& name, const toml::table& table, ConfigTable& out,
                  std::string_view skipped = {}) const {
    out.location = location(table);
    for (const auto& [key, node] : table)
      if (key.str() != skipped) read_key(std::string(key.str()), node, name, out);
    sort_as_written(table, out.keys);
  }

  // toml++ sorts keys by name; users expect the order of the file.
  template <class Key>
  static void sort_as_written(const toml::table& table, std::vector<Key>& keys) {
    std::ranges::stable_sort(keys, {}, [&](const Key& k) {
      const toml::source_position at = table.at(k.name).source().begin;
      return std::pair(at.line, at.column);
    });
  }

  void read_budget(const toml::node& node, ConfigTable& out) const {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw ConfigError({.what = "'budget' is a table, not a value",
                         .seen = location(node) + ": tune.budget",
                         .advice = "write budget = { rounds = 200 }"});
    read_table("budget", *table, out);
  }

  void read_search(const toml::node& node, SearchTable& out) const {
    const toml::table* table = node.as_table();
    if (table == nullptr)
      throw ConfigError({.what = "'search' is a table, not a value",
                         .seen = location(node) + ": method.search",
                         .advice = "write [method.search] and the options to search below it"});
    out.location = location(*table);
    for (const auto& [key, item] : *table) out.keys.push_back(search_key(std::string(key.str()), item));
    sort_as_written(*table, out.keys);
  }

  SearchKey search_key(const std::string& name, const toml::node& node) const {
    SearchKey key{.name = name, .location = location(node), .values = {}, .range = {}};
    if (const toml::table* range = node.as_table()) {
      read_table("search." + name, *range, key.range);
      return key;
    }
    const toml::array* list = node.as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
      if (std::optional<OptionValue> value = plain_value((*list)[i])) key.values.push_back(std::move(*value));
    if (list == nullptr || list->empty() || key.values.size() != list->size())
      throw ConfigError({.what = "'" + name + "' is neither a list of values nor a range",
                         .seen = location(node) + ": search." + name,
                         .advice = "give a list of values, [1, 2, 5], or a range, { low = 0.01, high = 1, scale = "
                                   "\"log\" }"});
    return key;
  }

  void read_key(const std::string& key, const toml::node& node, const std::string& table, ConfigTable& out) const {
    std::optional<OptionValue> value = plain_value(node);
    if (!value) {
      std::ostringstream type;
      type << node.type();
      throw ConfigError(
          {.what = "'" + key + "' has a value of a type that is not supported",
           .seen = location(node) + ": " + (table.empty() ? "" : table + ".") + key + " has the type " + type.str(),
           .advice = "give a number, true or false, a text in quotes, or a list of texts or numbers"});
    }
    out.keys.push_back({.name = key, .value = std::move(*value), .location = location(node)});
  }

  std::string file_;
};

std::string read_text(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& reason) {
    throw ConfigError({.what = "the configuration cannot be read",
                       .seen = file.string() + ": " + reason,
                       .advice = "give the path of a configuration file, such as examples/synthetic.toml"});
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) fail("this is a folder");
  errno = 0;
  const std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

const ConfigKey* ConfigTable::find(std::string_view name) const {
  const auto key = std::ranges::find(keys, name, &ConfigKey::name);
  return key == keys.end() ? nullptr : &*key;
}

void ConfigTable::set(ConfigKey key) {
  const auto old = std::ranges::find(keys, key.name, &ConfigKey::name);
  if (old == keys.end()) keys.push_back(std::move(key));
  else *old = std::move(key);
}

ConfigTable* ConfigDocument::table(std::string_view name) {
  if (name == "problem") return &problem;
  if (name == "federation") return &federation;
  if (name == "stop") return &stop;
  if (name == "output") return &output;
  if (name == "network") return &network;
  if (name == "inspect") return &inspect;
  if (name == "tune") return &tune;
  if (name == "tune.budget") return &budget;
  return nullptr;
}

void throw_unknown_table(const std::string& name, const std::string& seen) {
  const std::vector<std::string> known{"problem", "federation", "method",  "stop",
                                       "output",  "network",    "inspect", "tune"};
  const std::string near = nearest(name, known);
  throw ConfigError({.what = "unknown table '" + name + "'",
                     .seen = seen,
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") + "known tables: " + join(known)});
}

namespace {

toml::table parse_toml(std::string_view text, const std::string& name, const std::string& what) {
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw ConfigError({.what = what + " is not valid TOML: " + std::string(error.description()),
                       .seen = name + ":" + std::to_string(error.source().begin.line) + ", column " +
                               std::to_string(error.source().begin.column),
                       .advice = "correct the line; texts need quotes, tables are written [name]"});
  }
}

}  // namespace

ConfigDocument parse_document(std::string_view text, const std::string& name) {
  return DocumentReader(name).read(parse_toml(text, name, "the configuration"));
}

ListDocument parse_list_document(std::string_view text, const std::string& name, const std::string& list) {
  return DocumentReader(name).read_list(parse_toml(text, name, "the file"), list);
}

ConfigTable parse_keys(std::string_view text, const std::string& name) {
  return DocumentReader(name).read_keys(parse_toml(text, name, "the file"));
}

ConfigDocument read_document(const std::filesystem::path& file) {
  return parse_document(read_text(file), file.string());
}

OptionValue parse_value(std::string_view text) {
  try {
    const toml::table table = toml::parse("value = " + std::string(text));
    if (table.size() == 1 && table.contains("value"))
      if (std::optional<OptionValue> value = plain_value(table.at("value"))) return *value;
  } catch (const toml::parse_error&) { return std::string(text); }
  return std::string(text);
}

std::string toml_lines(const std::vector<std::pair<std::string, std::string>>& options) {
  std::string text;
  for (const auto& [key, value] : options) text.append(key).append(" = ").append(value).append("\n");
  return text;
}

const std::string& location_of(const ConfigTable& table, std::string_view key) {
  const ConfigKey* found = table.find(key);
  return found != nullptr ? found->location : table.location;
}

std::string location_of(const ConfigTable& table, const Error& error) {
  const ErrorInfo& info = error.info();
  for (const ConfigKey& key : table.keys) {
    const bool named = info.what.find("'" + key.name + "'") != std::string::npos;
    if (named || info.seen.starts_with(key.name + " = ")) return key.location;
  }
  return table.location;
}

}  // namespace driftless
