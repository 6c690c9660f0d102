#include "driftless/config/overrides.hpp"

#include "driftless/config/method_config.hpp"

#include <algorithm>
#include <cstdlib>

namespace driftless {
namespace {

struct Assignment {
  std::string flag;  // as typed, for messages
  std::string key;
  OptionValue value;

  ConfigKey named(std::string name) const { return {.name = std::move(name), .value = value, .location = flag}; }
};

Assignment parse(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string flag = "-c " + text;
  const std::string key = text.substr(0, equals);
  if (equals == std::string::npos || key.empty() || key.back() == '.' || key.front() == '.')
    throw ConfigError(
        {.what = "the flag -c takes key=value", .seen = flag, .advice = "write for example -c stop.rounds=10"});
  return {.flag = flag, .key = key, .value = parse_value(std::string_view(text).substr(equals + 1))};
}

void set_for_all_methods(ConfigDocument& document, const Assignment& a, const std::string& key) {
  bool used = false;
  for (ConfigTable& table : document.methods) {
    const std::vector<std::string> keys = method_keys(table);
    if (std::ranges::find(keys, key) == keys.end()) continue;
    table.set(a.named(key));
    used = true;
  }
  if (used) return;
  std::vector<std::string> known;
  for (const ConfigTable& table : document.methods)
    for (std::string& name : method_keys(table)) known.push_back(std::move(name));
  const std::string near = nearest(key, known);
  throw ConfigError({.what = "no method of this configuration has the option '" + key + "'",
                     .seen = a.flag,
                     .advice = (near.empty() ? "" : "did you mean '" + near + "'? ") +
                               "'driftless describe NAME' lists the options of a method"});
}

void set_for_one_method(ConfigDocument& document, const Assignment& a, const std::string& label,
                        const std::string& key) {
  const std::vector<std::string> labels = method_labels(document.methods);
  const auto found = std::ranges::find(labels, label);
  if (found == labels.end())
    throw ConfigError({.what = "no method of this configuration has the label '" + label + "'",
                       .seen = a.flag,
                       .advice = "labels here: " + join(labels)});
  document.methods[static_cast<std::size_t>(found - labels.begin())].set(a.named(key));
}

}  // namespace

void apply_environment(ConfigDocument& document) {
  if (const char* threads = std::getenv("DRIFTLESS_THREADS"); threads != nullptr && *threads != '\0')
    document.federation.set(
        {.name = "threads", .value = parse_value(threads), .location = "environment DRIFTLESS_THREADS"});
}

void apply_override(ConfigDocument& document, const std::string& assignment) {
  const Assignment a = parse(assignment);
  constexpr std::string_view budget = "tune.budget.";
  const std::size_t dot = a.key.starts_with(budget) ? budget.size() - 1 : a.key.find('.');
  if (dot == std::string::npos) return document.top.set(a.named(a.key));
  const std::string table = a.key.substr(0, dot);
  const std::string rest = a.key.substr(dot + 1);
  if (table == "method") {
    const std::size_t last = rest.rfind('.');  // labels may hold dots, options do not
    if (last == std::string::npos) return set_for_all_methods(document, a, rest);
    return set_for_one_method(document, a, rest.substr(0, last), rest.substr(last + 1));
  }
  if (ConfigTable* named = document.table(table)) return named->set(a.named(rest));
  throw_unknown_table(table, a.flag);
}

}  // namespace driftless
