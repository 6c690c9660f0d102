#include "driftless/report/page_settings.hpp"

#include "driftless/config/method_config.hpp"
#include "driftless/files/base_name.hpp"
#include "driftless/results/usual_setting.hpp"

#include <algorithm>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

struct Setting {
  std::string key;
  std::string value;    // as TOML text
  std::string formula;  // of a value from theory
  bool usual = false;   // the default of the option
};
using SettingColumns = std::vector<std::vector<Setting>>;

const Setting* find_setting(const std::vector<Setting>& column, const std::string& key) {
  const auto found = std::ranges::find(column, key, &Setting::key);
  return found == column.end() ? nullptr : &*found;
}

// One line per key: its value in every column, and whether it is the same in all. Where nobody changed an option from
// its default, nothing is to be seen.
Json settings_json(const std::vector<std::string>& names, const SettingColumns& columns) {
  std::vector<std::string> keys;
  for (const auto& column : columns)
    for (const Setting& setting : column)
      if (!setting.usual && std::ranges::find(keys, setting.key) == keys.end()) keys.push_back(setting.key);
  Json lines = Json::array();
  for (const std::string& key : keys) {
    Json values = Json::array();
    Json formulas = Json::array();
    for (const auto& column : columns) {
      const Setting* setting = find_setting(column, key);
      values.push_back(setting == nullptr ? Json(nullptr) : Json(setting->value));
      formulas.push_back(setting == nullptr || setting->formula.empty() ? Json(nullptr) : Json(setting->formula));
    }
    const bool same = std::ranges::all_of(values, [&](const Json& v) { return v == values.front(); });
    lines.push_back({{"key", key}, {"same", same}, {"values", std::move(values)}, {"theory", std::move(formulas)}});
  }
  return {{"names", names}, {"lines", std::move(lines)}};
}

// The last part of a path, so that a page that is passed on tells nothing about the machine that made it.
std::string without_folders(const OptionValue& value) {
  const auto shortened = [](const std::string& text) { return text.starts_with('/') ? base_name(text) : text; };
  if (const auto* text = std::get_if<std::string>(&value)) return to_text(shortened(*text));
  const auto* texts = std::get_if<std::vector<std::string>>(&value);
  if (texts == nullptr) return to_text(value);
  std::vector<std::string> names;
  for (const std::string& text : *texts) names.push_back(shortened(text));
  return to_text(names);
}

}  // namespace

Json method_settings(const std::vector<Curve>& curves) {
  std::vector<std::string> names;
  SettingColumns columns;
  for (const Curve& curve : curves) {
    const MethodFiles& method = *curve.members.front().method;
    names.push_back(curve.label);
    std::vector<std::string> seeds;
    for (const CurveMember& member : curve.members) seeds.push_back(member.method->seed);
    columns.push_back({{.key = "method", .value = method.name, .usual = method.name == curve.name},
                       {.key = "seed", .value = join(seeds)}});
    for (const auto& [key, value] : method.options) {
      const auto theory = std::ranges::find(method.theory, key, &std::pair<std::string, std::string>::first);
      columns.back().push_back({.key = key,
                                .value = value,
                                .formula = theory == method.theory.end() ? "" : theory->second,
                                .usual = value == usual_value(method.name, key)});
    }
  }
  return settings_json(names, columns);
}

Json run_settings(std::span<const RunFiles> runs) {
  std::vector<std::string> names;
  SettingColumns columns;
  for (const RunFiles& run : runs) {
    names.push_back(run.name);
    auto& column = columns.emplace_back();
    const ConfigKey* kind = run.config.problem.find("kind");
    const auto* named = kind == nullptr ? nullptr : std::get_if<std::string>(&kind->value);
    const auto add = [&](const std::string& name, const ConfigTable& table) {
      for (const ConfigKey& key : table.keys)
        column.push_back(
            {.key = (name.empty() ? "" : name + ".") + key.name,
             .value = without_folders(key.value),
             .usual = is_usual_setting(named == nullptr ? "" : *named, name, key.name, to_text(key.value))});
    };
    add("", run.config.top);
    add("problem", run.config.problem);
    add("federation", run.config.federation);
    add("stop", run.config.stop);
    add("output", run.config.output);
  }
  return settings_json(names, columns);
}

}  // namespace driftless
