#include "driftless/tuning/tuning_report.hpp"

#include "driftless/console/text_table.hpp"
#include "driftless/results/shown_settings.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

const std::string& label_of(const TuningResult& result, const TrialResult& trial) {
  return result.config.run.methods[trial.trial.method].label;
}

void add_cost(std::vector<std::string>& cells, const Cost& cost) {
  cells.push_back(std::to_string(cost.rounds));
  cells.push_back(std::to_string(cost.exchanges));
  cells.push_back(bytes_text(static_cast<double>(cost.bytes)));
  cells.push_back(std::to_string(cost.grad_evals));
}

std::string start_text(const TuningResult& result, std::size_t target) {
  return fmt::format("{} of the first {}", target_text(result.config.keys.targets[target]),
                     result.yardstick == Yardstick::gap ? "gap" : "gradient norm");
}

void add_best(const TuningResult& result, const std::vector<TrialResult>& settings, std::size_t target, Lines& lines) {
  lines.push_back({start_text(result, target), "rounds", "exchanges", "bytes", "gradients", "reached by", "setting"});
  for (std::size_t m = 0; m < result.config.spaces.size(); ++m) {
    std::size_t tried = 0;
    std::size_t reached = 0;
    for (const TrialResult& each : settings) {
      tried += each.trial.method == m ? 1 : 0;
      reached += each.trial.method == m && each.at[target] ? 1 : 0;
    }
    std::vector<std::string>& cells = lines.emplace_back();
    cells.push_back(result.config.run.methods[m].label);
    const TrialResult* best = best_at(settings, target, m, result.config.keys.currency);
    if (best != nullptr) add_cost(cells, *best->at[target]);
    else cells.insert(cells.end(), {"not reached", "", "", ""});
    cells.push_back(fmt::format("{} of {}", reached, tried));
    cells.push_back(best != nullptr ? shown_settings(best->trial.chosen) : "");
  }
  lines.emplace_back();
}

void add_frontier(const TuningResult& result, const std::vector<TrialResult>& settings, std::size_t target,
                  Lines& lines) {
  const std::vector<const TrialResult*> points = frontier_at(settings, target);
  if (points.empty()) return;
  lines.push_back({start_text(result, target), "rounds", "gradients", "setting"});
  for (const TrialResult* point : points)
    lines.push_back({label_of(result, *point), std::to_string(point->at[target]->rounds),
                     std::to_string(point->at[target]->grad_evals), shown_settings(point->trial.chosen)});
  lines.emplace_back();
}

Json cost_json(const Cost& cost) {
  return {
      {"rounds", cost.rounds}, {"exchanges", cost.exchanges}, {"bytes", cost.bytes}, {"grad_evals", cost.grad_evals}};
}

Json point_json(const TuningResult& result, const TrialResult& trial, std::size_t target) {
  Json json{{"method", label_of(result, trial)},
            {"trial", trial.trial.number},
            {"settings", settings_json(trial.trial.chosen)}};
  json.update(cost_json(*trial.at[target]));
  return json;
}

Json trial_json(const TuningResult& result, const TrialResult& trial) {
  Json at = Json::array();
  for (const std::optional<Cost>& cost : trial.at) at.push_back(cost ? cost_json(*cost) : Json(nullptr));
  return {{"trial", trial.trial.number},
          {"rung", trial.trial.rung},
          {"method", label_of(result, trial)},
          {"seed", result.config.run.methods[trial.trial.method].seed},
          {"settings", settings_json(trial.trial.chosen)},
          {"end", enum_name(trial.reason)},
          {"spent", cost_json(trial.spent)},
          {"part", trial.part},
          {"at", std::move(at)}};
}

Json target_json(const TuningResult& result, const std::vector<TrialResult>& settings, std::size_t target) {
  Json best = Json::array();
  for (std::size_t m = 0; m < result.config.spaces.size(); ++m)
    if (const TrialResult* winner = best_at(settings, target, m, result.config.keys.currency))
      best.push_back(point_json(result, *winner, target));
  Json frontier = Json::array();
  for (const TrialResult* point : frontier_at(settings, target)) frontier.push_back(point_json(result, *point, target));
  return {{"target", result.config.keys.targets[target]}, {"best", std::move(best)}, {"frontier", std::move(frontier)}};
}

Json budget_json(const Budget& budget) {
  Json json = Json::object();
  for (const auto& [key, value] : echo_options(budget)) json[key] = Json::parse(value);
  return json;
}

std::string budget_text(const Budget& budget) {
  std::vector<std::string> words;
  for (const auto& [key, value] : echo_options(budget)) words.push_back(value + " " + key);
  return join(words);
}

// The best settings of a method, that of the hardest target first, each once.
std::vector<std::pair<const TrialResult*, std::size_t>> winners_of(const TuningResult& result,
                                                                   const std::vector<TrialResult>& settings,
                                                                   std::size_t method) {
  std::vector<std::pair<const TrialResult*, std::size_t>> list;
  for (std::size_t target = result.config.keys.targets.size(); target-- > 0;) {
    const TrialResult* best = best_at(settings, target, method, result.config.keys.currency);
    const bool known = std::ranges::any_of(list, [&](const auto& each) { return each.first == best; });
    if (best != nullptr && !known) list.emplace_back(best, target);
  }
  return list;
}

const TrialResult* nearest_to_goal(const TuningResult& result, const std::vector<TrialResult>& settings,
                                   std::size_t method) {
  const TrialResult* nearest = nullptr;
  for (const TrialResult& each : settings)
    if (each.trial.method == method && (nearest == nullptr || better(each, *nearest, result.config.keys.currency)))
      nearest = &each;
  return nearest;
}

// A best value at the end of what was tried says that the search did not go far enough.
std::vector<std::string> edge_remarks(const TuningResult& result, const std::vector<TrialResult>& settings) {
  std::vector<std::string> remarks;
  for (std::size_t m = 0; m < result.config.spaces.size(); ++m) {
    const auto list = winners_of(result, settings, m);
    if (list.empty()) continue;
    const TrialResult& winner = *list.front().first;
    for (const SearchAxis& axis : result.config.spaces[m]) {
      const auto chosen = std::ranges::find(winner.trial.chosen, axis.option, &Settings::value_type::first);
      const auto tried = std::ranges::find(winner.trial.tried, axis.option, &Settings::value_type::first);
      if (chosen == winner.trial.chosen.end() || tried == winner.trial.tried.end()) continue;
      if (const End end = end_of(axis, tried->second); end != End::none)
        remarks.push_back(fmt::format("{}: the best {} is at the {} end of what was tried; widen its range",
                                      label_of(result, winner), shown_settings({*chosen}),
                                      end == End::low ? "low" : "high"));
    }
  }
  return remarks;
}

}  // namespace

std::string tuning_text(const TuningResult& result) {
  const std::vector<TrialResult> settings = result.settings();
  Lines best;
  Lines frontier;
  for (std::size_t target = 0; target < result.config.keys.targets.size(); ++target) {
    add_best(result, settings, target, best);
    add_frontier(result, settings, target, frontier);
  }
  std::string text =
      fmt::format("best settings, by {}; a trial may spend {}\n\n{}", enum_name(result.config.keys.currency),
                  budget_text(result.config.budget), aligned(best, {0, 6}));
  if (!frontier.empty()) text += "Pareto front: rounds against gradient evaluations\n\n" + aligned(frontier, {0, 3});
  text.pop_back();  // one of two newlines
  for (const std::string& remark : edge_remarks(result, settings)) text += remark + "\n";
  return text;
}

std::string tuning_json(const TuningResult& result) {
  const std::vector<TrialResult> settings = result.settings();
  const TuneKeys& keys = result.config.keys;
  Json at_targets = Json::array();
  for (std::size_t target = 0; target < keys.targets.size(); ++target)
    at_targets.push_back(target_json(result, settings, target));
  Json trials = Json::array();
  for (const TrialResult& trial : result.trials) trials.push_back(trial_json(result, trial));
  const Json json{{"schema_version", 1},
                  {"problem", result.problem},
                  {"strategy", enum_name(keys.strategy)},
                  {"currency", enum_name(keys.currency)},
                  {"yardstick", enum_name(result.yardstick)},
                  {"budget", budget_json(result.config.budget)},
                  {"targets", std::move(at_targets)},
                  {"remarks", edge_remarks(result, settings)},
                  {"trials", std::move(trials)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<MethodConfig> winners(const TuningResult& result) {
  const std::vector<TrialResult> settings = result.settings();
  std::vector<MethodConfig> methods;
  for (std::size_t m = 0; m < result.config.spaces.size(); ++m) {
    const auto list = winners_of(result, settings, m);
    const auto add = [&](const TrialResult& winner, const std::string& ending) {
      MethodConfig method = result.config.run.methods[m];
      method.settings = with(method.settings, winner.trial.chosen);
      method.label += ending;
      methods.push_back(std::move(method));
    };
    if (list.empty()) {
      if (const TrialResult* nearest = nearest_to_goal(result, settings, m)) add(*nearest, "");
    } else
      for (const auto& [winner, target] : list)
        add(*winner, list.size() == 1 ? "" : "-" + target_text(result.config.keys.targets[target]));
  }
  return methods;
}

std::string best_toml(const TuningResult& result) {
  RunConfig run = result.config.run;
  run.methods = winners(result);
  run.stop = result.config.budget.stop();
  run.stop.gap = result.goal.gap;
  run.stop.grad_norm = result.goal.grad_norm;
  return fmt::format("# The settings that were best by {}; 'driftless run' runs them.\n{}",
                     enum_name(result.config.keys.currency), canonical_text(run));
}

}  // namespace driftless
