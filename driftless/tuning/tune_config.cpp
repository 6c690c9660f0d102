#include "driftless/tuning/tune_config.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/config/theory_settings.hpp"
#include "driftless/tuning/default_space.hpp"

#include <algorithm>
#include <functional>

namespace driftless {
namespace {

const OptionInfo* find_option(const std::string& method, const std::string& option) {
  for (const MethodEntry& entry : method_catalog()) {
    if (entry.name != method) continue;
    const auto found = std::ranges::find(entry.options, option, &OptionInfo::name);
    if (found != entry.options.end()) return &*found;
  }
  return nullptr;
}

std::string name_of(const ConfigTable& method) {
  const ConfigKey* name = method.find("name");
  const auto* text = name != nullptr ? std::get_if<std::string>(&name->value) : nullptr;
  return text != nullptr ? *text : "";
}

void check_key(const SearchKey& key, const ConfigTable& method) {
  const std::vector<std::string> common = option_names<MethodKeys>();
  if (std::ranges::find(common, key.name) != common.end())
    throw ConfigError({.what = "'" + key.name + "' cannot be searched",
                       .seen = key.location + ": search." + key.name,
                       .advice = "search the method's own options; 'driftless describe NAME' lists them"});
  if (const ConfigKey* given = method.find(key.name))
    throw ConfigError({.what = "'" + key.name + "' has a value and is searched as well",
                       .seen = given->location + ": " + shown(*given) + ", also at " + key.location,
                       .advice = "remove one of the two"});
}

// { theory = [0.1, 1] }
SearchAxis read_multiples(const SearchKey& key, const ConfigKey& list) {
  const auto* multiples = std::get_if<std::vector<double>>(&list.value);
  const bool fit = multiples != nullptr && !multiples->empty() && key.range.keys.size() == 1 &&
                   std::ranges::all_of(*multiples, [](double m) { return m > 0.0; });
  if (!fit)
    throw ConfigError({.what = "'theory' is a list of multiples, and alone in its braces",
                       .seen = list.location + ": " + shown(list),
                       .advice = "give numbers above 0, as in { theory = [0.1, 0.3, 1] }"});
  return {
      .option = key.name, .values = std::vector<OptionValue>(multiples->begin(), multiples->end()), .of_theory = true};
}

SearchAxis read_axis(const SearchKey& key, const ConfigTable& method) {
  check_key(key, method);
  if (!key.is_range()) return {.option = key.name, .values = key.values};
  if (const ConfigKey* list = key.range.find("theory")) return read_multiples(key, *list);
  SearchRange range;
  read_table(key.range, range);
  const OptionInfo* option = find_option(name_of(method), key.name);
  const bool of_theory = range.of == RangeUnit::theory;
  range.whole = !of_theory && option != nullptr && option->kind == OptionKind::whole_number;
  located(key.location, [&] { range.check(); });
  return {.option = key.name, .values = range, .of_theory = of_theory};
}

OptionValue first_value(const SearchAxis& axis) {
  return axis.of_theory ? OptionValue(std::string("theory")) : grid_values(axis).front();
}

// The method's table with the first value of every free option, so that it can be checked like any other.
ConfigTable filled(ConfigTable method, const SearchSpace& space, const std::vector<SearchKey>& keys) {
  for (std::size_t i = 0; i < space.size(); ++i)
    method.set({.name = space[i].option,
                .value = first_value(space[i]),
                .location = i < keys.size() ? keys[i].location : method.location});
  return method;
}

bool drawn(const TuneKeys& keys) {
  return keys.strategy == Strategy::random || (keys.strategy == Strategy::halving && keys.trials);
}

void check_strategy(const TuneConfig& config, const ConfigDocument& document) {
  const TuneKeys& keys = config.keys;
  if (keys.strategy == Strategy::grid && keys.trials)
    throw ConfigError({.what = "a grid has as many trials as it has points",
                       .seen = document.tune.find("trials")->location + ": trials = " + std::to_string(*keys.trials),
                       .advice = "remove 'trials', or use strategy = \"random\""});
  if (keys.strategy == Strategy::random && !keys.trials)
    throw ConfigError({.what = "a random search needs 'trials'",
                       .seen = document.tune.location + ": [tune]",
                       .advice = "give trials = 20, the number of settings tried per method"});
  constexpr std::size_t most = 100000;
  for (std::size_t m = 0; m < config.spaces.size() && !drawn(keys); ++m) {
    for (std::size_t i = 0; i < config.spaces[m].size(); ++i)
      if (!config.spaces[m][i].countable())
        throw ConfigError({.what = "a grid over a range needs 'count'",
                           .seen = document.searches[m].keys[i].location + ": " + config.spaces[m][i].option,
                           .advice = "add count = 5 to the range, list the values, or draw them with trials"});
    if (grid_size(config.spaces[m]) > most)
      throw ConfigError({.what = "the grid has too many points",
                         .seen = document.searches[m].location + ": [method.search]",
                         .advice = "at most " + std::to_string(most) + "; use fewer values or a random search"});
  }
}

void read_targets(const ConfigTable& table, std::vector<double>& targets) {
  const bool fit =
      !targets.empty() && std::ranges::all_of(targets, [](double target) { return target > 0.0 && target < 1.0; });
  if (!fit) {
    const ConfigKey* key = table.find("targets");
    throw ConfigError({.what = "'targets' are parts of the first gap",
                       .seen = key->location + ": " + shown(*key),
                       .advice = "give numbers above 0 and below 1, for example [1e-2, 1e-4]"});
  }
  std::ranges::sort(targets, std::greater<>());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
}

// Makes every method with every setting once, so that invalid ones are found before anything runs. The ends of ranges
// are checked too, so that the result does not depend on the values drawn.
void check_settings(const TuneConfig& config, const std::vector<ConfigTable>& tables) {
  for (std::size_t m = 0; m < config.spaces.size(); ++m) {
    std::vector<Settings> all = settings_tried(config, m);
    for (const SearchAxis& axis : config.spaces[m]) {
      if (const SearchRange* range = axis.range(); range != nullptr && drawn(config.keys))
        for (const OptionValue& value : grid_values(axis)) all.push_back({{axis.option, value}});
      if (axis.of_theory)  // what the multiples come to is known with the constants
        for (Settings& settings : all)
          if (const auto it = std::ranges::find(settings, axis.option, &Settings::value_type::first);
              it != settings.end())
            it->second = std::string("theory");
    }
    const MethodConfig& method = config.run.methods[m];
    const MethodEntry& entry = find_method(method.name);
    for (const Settings& settings : all) located(tables[m], [&] { entry.check(with(method.settings, settings)); });
  }
}

// From [stop] where the search has no budget of its own, and with a limit of gradients in any case.
void complete(Budget& budget, const StopConditions& stop) {
  if (!budget.any())
    budget = {.rounds = stop.rounds, .exchanges = stop.exchanges, .bytes = stop.bytes, .grad_evals = stop.grad_evals};
  if (!budget.any()) budget.exchanges = default_exchanges;
  if (!budget.grad_evals) budget.grad_evals = default_gradients;
}

}  // namespace

StopConditions Budget::stop() const {
  StopConditions stop;
  stop.rounds = rounds;
  stop.exchanges = exchanges;
  stop.bytes = bytes;
  stop.grad_evals = grad_evals;
  return stop;
}

bool Budget::allows(const TraceRow& row) const {
  return (!rounds || row.round <= *rounds) && (!exchanges || row.exchanges <= *exchanges) &&
         (!bytes || row.bytes_up + row.bytes_down <= *bytes) && (!grad_evals || row.grad_evals <= *grad_evals);
}

Budget Budget::divided_by(std::size_t divisor) const {
  const auto part = [&](const std::optional<std::size_t>& whole) -> std::optional<std::size_t> {
    if (!whole) return std::nullopt;
    return (*whole + divisor - 1) / divisor;
  };
  return {.rounds = part(rounds), .exchanges = part(exchanges), .bytes = part(bytes), .grad_evals = part(grad_evals)};
}

std::vector<Settings> settings_tried(const TuneConfig& config, std::size_t method) {
  const SearchSpace& space = config.spaces[method];
  if (space.empty() || !drawn(config.keys)) return grid(space);
  std::vector<Settings> settings;
  for (std::size_t trial = 0; trial < *config.keys.trials; ++trial) {
    Stream stream(config.keys.seed.value_or(config.run.seed), Purpose::search, method, trial);
    settings.push_back(draw(space, stream));
  }
  return settings;
}

TuneConfig read_tune_config(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  const ConfigDocument document = load_document(file, overrides);
  TuneConfig config;
  config.run = read_frame(document, file);
  read_table(document.tune, config.keys);
  read_targets(document.tune, config.keys.targets);
  read_table(document.budget, config.budget);
  complete(config.budget, config.run.stop);
  config.default_ranges =
      std::ranges::all_of(document.searches, [](const SearchTable& s) { return s.location.empty(); });
  std::vector<ConfigTable> tables;
  for (std::size_t m = 0; m < document.methods.size(); ++m) {
    SearchSpace& space = config.spaces.emplace_back();
    const std::vector<SearchKey>& keys = document.searches[m].keys;
    for (const SearchKey& key : keys) space.push_back(read_axis(key, document.methods[m]));
    tables.push_back(config.default_ranges ? with_theory(document.methods[m]) : document.methods[m]);
    if (config.default_ranges) space = default_space(tables.back());
    tables.back() = filled(tables.back(), space, keys);
  }
  config.run.methods = read_methods(tables, file.string(), config.run.seed);
  check_strategy(config, document);
  if (!config.default_ranges) check_settings(config, tables);
  resolve_paths(config.run.problem, config.run.federation);
  return config;
}

std::string canonical_text(const TuneConfig& config) {
  std::string text = head_text(config.run);
  for (std::size_t m = 0; m < config.spaces.size(); ++m) {
    std::vector<std::string> open;
    std::string search;
    for (const SearchAxis& axis : config.spaces[m]) {
      open.push_back(axis.option);
      search += axis_text(axis);
    }
    text += method_text(config.run.methods[m], Formulas::shown, open) +
            (search.empty() ? "" : "[method.search]\n" + search) + "\n";
  }
  return text + "[tune]\n" + toml_lines(echo_options(config.keys)) + "\n[tune.budget]\n" +
         toml_lines(echo_options(config.budget)) + "\n[output]\n" + toml_lines(echo_options(config.run.output));
}

}  // namespace driftless
