#include "driftless/config/method_config.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/core/printable.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace driftless {
namespace {

constexpr std::string_view theory_note = "  # theory: ";

std::string text_of(const ConfigTable& table, std::string_view key) {
  const ConfigKey* found = table.find(key);
  const auto* text = found != nullptr ? std::get_if<std::string>(&found->value) : nullptr;
  return text != nullptr ? *text : "";
}

std::vector<std::string> keys_of(const MethodEntry& entry) {
  std::vector<std::string> keys = option_names<MethodKeys>();
  for (const OptionInfo& option : entry.options) keys.push_back(option.name);
  return keys;
}

// Not an option of this name; what the name says of it is part of the message of MethodEntry::check.
bool is_hidden(const MethodEntry& entry, const std::string& key) {
  return std::ranges::any_of(entry.fixed, [&](const auto& setting) { return setting.first == key; }) ||
         std::ranges::find(entry.unused, key) != entry.unused.end();
}

const MethodEntry& entry_of(const ConfigTable& table) {
  const ConfigKey* name = table.find("name");
  if (name == nullptr)
    throw ConfigError({.what = "a method has no name",
                       .seen = table.location + ": [[method]]",
                       .advice = "give name = \"...\"; 'driftless methods' lists them"});
  const MethodEntry& entry =
      located(name->location, [&]() -> const MethodEntry& { return find_method(text_of(table, "name")); });
  return entry_for(entry, {{"inner", text_of(table, "inner")}});
}

MethodKeys read_keys(const ConfigTable& table, const MethodEntry& entry, Settings& settings) {
  MethodKeys keys;
  const std::vector<std::string> known = keys_of(entry);
  for (const ConfigKey& key : table.keys) {
    if (located(key.location, [&] { return set_if_known(keys, key); })) continue;
    if (std::ranges::find(known, key.name) == known.end() && !is_hidden(entry, key.name)) throw_unknown_key(key, known);
    if (asks_for_theory(key.value) && !is_hidden(entry, key.name))
      located(key.location, [&] { require_theory(entry, key.name); });
    settings.emplace_back(key.name, key.value);
  }
  return keys;
}

void check_label(const std::string& label) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("+-_.").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(label, fits) && label.front() != '.') return;
  throw ConfigError({.what = "'label' is not a valid name of a folder",
                     .seen = "label = " + toml_string(label),
                     .advice = "use letters, digits and + - _ . , and no leading dot"});
}

// Free text, but one line that a terminal shows as it is.
void check_title(const ConfigTable& table, const std::string& title) {
  const ConfigKey* key = table.find("title");
  if (key == nullptr) return;
  constexpr std::size_t most = 100;
  const bool blank = title.find_first_not_of(' ') == std::string::npos;
  if (!blank && printable(title, most) == title) return;
  throw ConfigError(
      {.what = "'title' is not one line of text",
       .seen = key->location + ": " + shown(*key),
       .advice = "use at most 100 bytes without line ends and control characters, such as \"FedRed, λ = 0.02\""});
}

// The echo in config.toml then names the goal, so it repeats the run under other stop conditions too.
void set_goal(const MethodEntry& entry, std::optional<double> goal, Settings& settings) {
  const auto is_goal = [&](const auto& setting) { return setting.first == entry.goal_option; };
  if (goal && !entry.goal_option.empty() && std::ranges::none_of(settings, is_goal))
    settings.emplace_back(entry.goal_option, *goal);
}

MethodConfig read_method(const ConfigTable& table, const std::string& label, std::size_t seed,
                         std::optional<double> goal) {
  const MethodEntry& entry = entry_of(table);
  MethodConfig method{.name = entry.name, .label = label};
  const MethodKeys keys = read_keys(table, entry, method.settings);
  check_title(table, keys.title);
  set_goal(entry, goal, method.settings);
  method.title = keys.title;
  method.seed = keys.seed.value_or(seed);
  method.output = keys.output;
  method.certificate = keys.certificate.on;
  method.forced_check = keys.certificate.forced;
  located(table, [&] {
    check_label(label);
    entry.check(method.settings);
    prepare_output(*entry.make(entry.demo), method.output);  // which points a method has does not depend on its options
  });
  return method;
}

}  // namespace

bool OptionType<TheoremChecks>::read(const OptionValue& value, TheoremChecks& out) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* yes = std::get_if<bool>(&value);
  out = {.on = text != nullptr || (yes != nullptr && *yes), .forced = text != nullptr};
  return yes != nullptr || (text != nullptr && *text == "force");
}

std::vector<std::string> method_labels(const std::vector<ConfigTable>& tables) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> labels;
  for (const ConfigTable& table : tables) {
    const std::string name = text_of(table, "name");
    const std::string given = text_of(table, "label");
    const std::size_t count = given.empty() ? ++seen[name] : 1;
    labels.push_back(!given.empty() ? given : count == 1 ? name : name + "-" + std::to_string(count));
  }
  return labels;
}

std::vector<std::string> method_keys(const ConfigTable& table) {
  const auto& catalog = method_catalog();
  const auto entry = std::ranges::find(catalog, text_of(table, "name"), &MethodEntry::name);
  return entry == catalog.end() ? std::vector<std::string>{}
                                : keys_of(entry_for(*entry, {{"inner", text_of(table, "inner")}}));
}

std::string usual_value(const std::string& method, const std::string& key) {
  const auto value_in = [&](const std::vector<OptionInfo>& options) {
    const auto found = std::ranges::find(options, key, &OptionInfo::name);
    return found == options.end() ? std::string() : found->initial;
  };
  const auto& catalog = method_catalog();
  const auto entry = std::ranges::find(catalog, method, &MethodEntry::name);
  const std::string own = entry == catalog.end() ? "" : value_in(entry->options);
  return own.empty() ? value_in(describe_options<MethodKeys>()) : own;
}

std::vector<std::pair<std::string, std::string>> noted_formulas(const ConfigTable& table, const std::string& text) {
  std::vector<std::string_view> lines;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<std::pair<std::string, std::string>> formulas;
  for (const ConfigKey& key : table.keys) {
    const std::size_t line = std::strtoul(key.location.c_str() + key.location.rfind(':') + 1, nullptr, 10);
    if (line == 0 || line > lines.size()) continue;
    const std::size_t note = lines[line - 1].rfind(theory_note);
    if (note == std::string_view::npos) continue;
    formulas.emplace_back(key.name, lines[line - 1].substr(note + theory_note.size()));
  }
  return formulas;
}

void add_default_method(ConfigDocument& document, const std::string& file) {
  document.methods.push_back(
      {.location = file, .keys = {{.name = "name", .value = std::string("auto"), .location = file}}});
  document.searches.emplace_back();
}

std::vector<MethodConfig> read_methods(const std::vector<ConfigTable>& tables, const std::string& file,
                                       std::size_t seed, std::optional<double> goal) {
  if (tables.empty())
    throw ConfigError(
        {.what = "the configuration has no method",
         .seen = file,
         .advice = "add a table [[method]] with name = \"gd\" and its options; 'driftless methods' lists them"});
  const std::vector<std::string> labels = method_labels(tables);
  std::vector<MethodConfig> methods;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    methods.push_back(read_method(tables[i], labels[i], seed, goal));
    const auto twin = std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(i), labels[i]);
    if (twin == labels.begin() + static_cast<std::ptrdiff_t>(i)) continue;
    const ConfigKey* label = tables[i].find("label");
    throw ConfigError({.what = "two methods have the same label",
                       .seen = (label != nullptr ? label->location : tables[i].location) + ": " +
                               toml_string(labels[i]) + ", also at " +
                               tables[static_cast<std::size_t>(twin - labels.begin())].location,
                       .advice = "give each method its own label: it is the name of the folder with its results"});
  }
  return methods;
}

bool asks_for_theory(const MethodConfig& method) { return asks_for_theory(method.settings); }

bool asks_for_theory(std::span<const MethodConfig> methods) {
  return std::ranges::any_of(methods, [](const MethodConfig& method) { return asks_for_theory(method); });
}

bool needs_noise(std::span<const MethodConfig> methods) {
  return std::ranges::any_of(methods, [](const MethodConfig& method) {
    return (method.certificate || asks_for_theory(method)) && needs_noise(find_method(method.name), method.settings);
  });
}

void resolve_theory(MethodConfig& method, const Constants& constants, const std::string& origin) {
  if (!asks_for_theory(method)) return;
  ResolvedSettings resolved = resolve_settings(find_method(method.name), method.settings, constants, method.label);
  method.settings = std::move(resolved.settings);
  for (TheoryUse& use : resolved.theory) {
    if (!origin.empty()) use.formula += "; constants " + origin;
    method.theory.push_back(std::move(use));
  }
}

bool differ_in_seed_only(const MethodConfig& a, const MethodConfig& b) {
  const MethodEntry& entry = find_method(a.name);
  return a.name == b.name && a.output == b.output && entry.echo(a.settings) == entry.echo(b.settings);
}

std::string method_text(const MethodConfig& method, Formulas formulas, const std::vector<std::string>& without) {
  const MethodEntry& entry = find_method(method.name);
  std::vector<std::pair<std::string, std::string>> lines{{"name", toml_string(method.name)},
                                                         {"label", toml_string(method.label)}};
  if (!method.title.empty()) lines.emplace_back("title", toml_string(method.title));
  lines.emplace_back("seed", std::to_string(method.seed));
  lines.emplace_back("output", toml_string(enum_name(method.output)));
  lines.emplace_back("certificate", OptionType<TheoremChecks>::write({method.certificate, method.forced_check}));
  for (auto& [option, text] : entry.echo(method.settings)) {
    if (std::ranges::find(without, option) != without.end()) continue;
    const auto used = std::ranges::find(method.theory, option, &TheoryUse::option);
    if (used != method.theory.end() && formulas == Formulas::shown) text += std::string(theory_note) + used->formula;
    lines.emplace_back(option, std::move(text));
  }
  return "[[method]]\n" + toml_lines(lines);
}

}  // namespace driftless
