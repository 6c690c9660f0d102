#include "driftless/tuning/setting_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace driftless {
namespace {

constexpr std::array<double, 2> strides{4.0, 2.0};

OptionValue moved(const OptionValue& value, double factor) {
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return static_cast<std::int64_t>(std::llround(static_cast<double>(*whole) * factor));
  return std::get<double>(value) * factor;
}

bool accepted(const MethodConfig& method, const Settings& chosen) {
  try {
    find_method(method.name).make(with(method.settings, chosen));
    return true;
  } catch (const ConfigError&) { return false; }
}

// An improvement that justifies further trials. A slightly smaller gap does not: the search would follow an option that
// hardly matters, such as λ near 0, without end.
bool much_better(const TrialResult& a, const TrialResult& b, Currency currency) {
  const bool by_gap = a.reached() == b.reached() && !a.at.back() && b.reason != StopReason::diverged;
  return by_gap ? a.part < 0.95 * b.part : better(a, b, currency);
}

class MethodSearch {
 public:
  MethodSearch(const MethodConfig& method, std::size_t options, std::size_t most)
      : method_(method), options_(options), most_(most) {}

  void add(const TrialResult& result, Currency currency) {
    ++found_.tried;
    tried_.insert(settings_text(result.trial.chosen));
    if (found_.tried > 1 && !better(result, found_.trial, currency)) return;
    improved_ = improved_ || found_.tried == 1 || much_better(result, found_.trial, currency);
    found_.trial = result;
  }

  // Settings along the next option that has untried ones; empty where the search has ended.
  SearchSpace next() {
    unmoved_ = improved_ ? 0 : unmoved_ + 1;
    improved_ = false;
    for (; stride_ < strides.size(); ++stride_, unmoved_ = 0) {
      for (; unmoved_ < options_; ++unmoved_) {
        at_ = (at_ + 1) % options_;
        std::vector<OptionValue> values = untried_values();
        if (values.empty()) continue;
        if (found_.tried + values.size() > most_) return {};
        return along(std::move(values));
      }
    }
    found_.settled = true;
    return {};
  }

  const BestSetting& found() const { return found_; }

 private:
  std::vector<OptionValue> untried_values() const {
    std::vector<OptionValue> values;
    std::set<std::string> seen = tried_;
    Settings chosen = found_.trial.trial.chosen;
    const OptionValue best = chosen[at_].second;
    for (const double factor : {1.0 / strides[stride_], strides[stride_]}) {
      chosen[at_].second = moved(best, factor);
      if (seen.insert(settings_text(chosen)).second && accepted(method_, chosen)) values.push_back(chosen[at_].second);
    }
    return values;
  }

  SearchSpace along(std::vector<OptionValue> values) const {
    SearchSpace space;
    for (const auto& [option, value] : found_.trial.trial.chosen)
      space.push_back({.option = option, .values = std::vector<OptionValue>{value}});
    space[at_].values = std::move(values);
    return space;
  }

  const MethodConfig& method_;
  std::size_t options_;
  std::size_t most_;
  std::size_t at_ = 0;  // the option changed last
  std::size_t stride_ = 0;
  std::size_t unmoved_ = 0;  // consecutive options without an improvement
  bool improved_ = false;
  std::set<std::string> tried_;
  BestSetting found_;
};

// The methods that are still searched, and their indices in the configuration.
struct Stage {
  TuneConfig config;
  std::vector<std::size_t> methods;
};

Stage next_stage(const TuneConfig& start, std::vector<MethodSearch>& searches) {
  Stage stage{.config = start, .methods = {}};
  stage.config.run.methods.clear();
  stage.config.spaces.clear();
  for (std::size_t m = 0; m < searches.size(); ++m) {
    SearchSpace space = searches[m].next();
    if (space.empty()) continue;
    stage.config.run.methods.push_back(start.run.methods[m]);
    stage.config.spaces.push_back(std::move(space));
    stage.methods.push_back(m);
  }
  return stage;
}

Stage first_stage(const TuneConfig& start) {
  Stage stage{.config = start, .methods = {}};
  for (std::size_t m = 0; m < start.spaces.size(); ++m) stage.methods.push_back(m);
  return stage;
}

}  // namespace

SettingSearch search_settings(const TuneConfig& start, std::size_t most, const TuneOptions& options) {
  std::vector<MethodSearch> searches;
  for (std::size_t m = 0; m < start.spaces.size(); ++m)
    searches.emplace_back(start.run.methods[m], start.spaces[m].size(), most);
  SettingSearch search;
  for (Stage stage = first_stage(start); !stage.methods.empty(); stage = next_stage(start, searches)) {
    const TuningResult found = tune(stage.config, options);
    search.goal = found.goal;
    search.interrupted = found.interrupted();
    if (search.interrupted) return search;
    for (TrialResult result : found.trials) {
      result.trial.method = stage.methods[result.trial.method];
      result.trial.number = search.trials.size() + 1;
      searches[result.trial.method].add(result, start.keys.currency);
      search.trials.push_back(std::move(result));
    }
  }
  for (const MethodSearch& each : searches) search.best.push_back(each.found());
  return search;
}

}  // namespace driftless
