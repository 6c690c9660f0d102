// Figure 3 from finished trials: the table, the page, the JSON text and the curves.
#include "driftless/report/figure.hpp"
#include "driftless/reproduce/figure3.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace driftless {
namespace {

using Runs = std::vector<const Figure3Result*>;  // one per seed
using Value = double Figure3Point::*;

// The trials with all rounds of one setting. A run that diverged has a shorter curve and is left out.
Runs runs_of(const Figure3& figure, const std::string& method, const Figure3Setting& setting) {
  Runs runs;
  for (const Figure3Result& result : figure.results)
    if (result.trial.method == method && result.trial.setting == setting &&
        result.trial.rounds == figure.setup.rounds && !result.diverged)
      runs.push_back(&result);
  return runs;
}

double mean_at(const Runs& runs, std::size_t point, Value value) {
  double sum = 0.0;
  for (const Figure3Result* run : runs) sum += run->points[point].*value;
  return sum / static_cast<double>(runs.size());
}

// Before the race is over: the best of those that have run all rounds.
std::optional<Figure3Setting> best_so_far(const Figure3& figure, const Figure3Race& race) {
  if (race.chosen) return race.chosen;
  std::optional<Figure3Setting> best;
  double most = -1.0;
  for (const SettingStatus& status : race.settings) {
    if (status.rounds != figure.setup.rounds || status.accuracy <= most) continue;
    most = status.accuracy;
    best = status.setting;
  }
  return best;
}

Figure3Line line_of(const Figure3& figure, const Figure3Race& race, const Figure3Setting& setting) {
  const Runs runs = runs_of(figure, race.method, setting);
  const std::size_t last = runs.front()->points.size() - 1;
  Figure3Line line{.method = race.method, .setting = setting, .chosen = race.chosen == setting, .seeds = runs.size()};
  line.loss = mean_at(runs, last, &Figure3Point::f);
  line.accuracy = mean_at(runs, last, &Figure3Point::accuracy);
  for (std::size_t k = 0; k <= last; ++k)
    line.best_accuracy = std::max(line.best_accuracy, mean_at(runs, k, &Figure3Point::accuracy));
  const auto [least, most] = std::ranges::minmax(runs, {}, &Figure3Result::accuracy);
  line.spread = most->accuracy() - least->accuracy();
  line.exchanges = runs.front()->points.back().exchanges;
  return line;
}

Panel panel_of(const Figure3& figure, const std::string& y_title, Value value) {
  Panel panel{.title = fmt::format("{}, {}", figure.setup.data, figure.setup.model),
              .x_title = "rounds",
              .y_title = y_title,
              .log_x = false,
              .log_y = false,
              .series = {}};
  for (const Figure3Line& line : figure.lines) {
    const Runs runs = runs_of(figure, line.method, line.setting);
    Series series{.label = fmt::format("{}, K {}", line.method, line.setting.local_steps),
                  .x = {},
                  .y = {},
                  .low = {},
                  .high = {}};
    for (std::size_t k = 0; k < runs.front()->points.size(); ++k) {
      series.x.push_back(static_cast<double>(runs.front()->points[k].round));
      series.y.push_back(mean_at(runs, k, value));
      if (runs.size() < 2) continue;
      const auto [low, high] =
          std::ranges::minmax(runs, {}, [&](const Figure3Result* run) { return run->points[k].*value; });
      series.low.push_back(low->points[k].*value);
      series.high.push_back(high->points[k].*value);
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

std::string status_text(const SettingStatus& status) {
  if (status.state == SettingState::unseen) return std::string(name_of(status.state));
  const std::string reached = status.accuracy < 0.0 ? "diverged" : fmt::format("{:.2f} %", 100.0 * status.accuracy);
  return fmt::format("{} at round {}: {}", name_of(status.state), status.rounds, reached);
}

std::string race_section(const Figure3Race& race) {
  std::string text =
      fmt::format("\n### {}\n\n{} of {} settings seen; {}.\n", race.method, race.seen(), race.settings.size(),
                  race.pending.empty() ? "no trial is left for the requested settings"
                                       : fmt::format("{} trials are next", race.pending.size()));
  if (race.seen() == 0) return text;
  text += "\n| setting | state |\n|---|---|\n";
  for (const SettingStatus& status : race.settings)
    if (status.state != SettingState::unseen)
      text += fmt::format("| {} | {} |\n", to_text(status.setting), status_text(status));
  return text;
}

nlohmann::ordered_json json_of(const Figure3Setting& setting) {
  nlohmann::ordered_json json{{"rate", setting.rate}, {"local_steps", setting.local_steps}};
  if (setting.lambda) json["lambda"] = *setting.lambda;
  return json;
}

nlohmann::ordered_json json_of(const Figure3Race& race) {
  nlohmann::ordered_json settings = nlohmann::ordered_json::array();
  for (const SettingStatus& status : race.settings) {
    nlohmann::ordered_json json = json_of(status.setting);
    json["state"] = name_of(status.state);
    if (status.state != SettingState::unseen) {
      json["rounds"] = status.rounds;
      json["diverged"] = status.accuracy < 0.0;
      json["test_accuracy"] = std::max(0.0, status.accuracy);
    }
    settings.push_back(std::move(json));
  }
  return {{"method", race.method},
          {"grid", race.settings.size()},
          {"seen", race.seen()},
          {"pending", race.pending.size()},
          {"settings", std::move(settings)}};
}

std::string arithmetic_of(const Figure3& figure) {
  std::set<std::string> names;
  for (const Figure3Result& result : figure.results) names.insert(result.arithmetic);
  return fmt::format("{}", fmt::join(names, "; "));
}

}  // namespace

std::size_t Figure3::seen() const {
  std::size_t count = 0;
  for (const Figure3Race& race : races)
    if (race.method != Figure3Grid::central) count += race.seen();
  return count;
}

std::size_t Figure3::grid() const {
  std::size_t count = 0;
  for (const Figure3Race& race : races)
    if (race.method != Figure3Grid::central) count += race.settings.size();
  return count;
}

std::size_t Figure3::pending() const {
  std::size_t count = 0;
  for (const Figure3Race& race : races) count += race.pending.size();
  return count;
}

Figure3 figure3_of(const Figure3Setup& setup, const Figure3Grid& grid, std::vector<Figure3Result> results) {
  Figure3 figure{.setup = setup, .races = {}, .lines = {}, .results = std::move(results)};
  for (const std::string& method : Figure3Grid().methods) {
    figure.races.push_back(race_of(method, setup, grid, figure.results));
    if (const auto best = best_so_far(figure, figure.races.back()))
      figure.lines.push_back(line_of(figure, figure.races.back(), *best));
  }
  return figure;
}

std::string figure3_markdown(const Figure3& figure) {
  std::string text = fmt::format(
      "# Figure 3\n\nThe paper reports for CIFAR-10 and CIFAR-100 with ResNet-18, n = 10, Dirichlet 0.5, batches of "
      "512: FedProx, which corrects no drift, is ahead of the others and converges more steadily.\n\n"
      "Here: {} with {}, {} rounds, {}. {} of the {} settings of the paper's grid have been seen; {}.\n\n"
      "| method | setting | chosen | seeds | training loss | test accuracy | best on the way | spread over seeds | "
      "exchanges |\n|---|---|---|---:|---:|---:|---:|---:|---:|\n",
      figure.setup.data, figure.setup.model, figure.setup.rounds, arithmetic_of(figure), figure.seen(), figure.grid(),
      figure.complete() ? "no trial is left for the requested settings"
                        : fmt::format("at least {} trials are left, and the same command runs them", figure.pending()));
  for (const Figure3Line& line : figure.lines)
    text += fmt::format("| {} | {} | {} | {} | {:.4f} | {:.2f} % | {:.2f} % | {:.2f} % | {} |\n", line.method,
                        to_text(line.setting), line.chosen ? "yes" : "best so far", line.seeds, line.loss,
                        100.0 * line.accuracy, 100.0 * line.best_accuracy, 100.0 * line.spread, line.exchanges);
  text += fmt::format(
      "\n## The race\n\nWhere a method has a λ, the best λ of each (rate, K) after {} rounds remains. After {} rounds "
      "the best setting runs all {} rounds, and the second where it is within {:g} points; the better one is chosen "
      "and runs with {} seed(s).\n",
      std::min(Figure3Race::first_rounds, figure.setup.rounds),
      std::min(Figure3Race::choice_rounds, figure.setup.rounds), figure.setup.rounds, 100.0 * Figure3Race::close_race,
      figure.setup.seeds);
  for (const Figure3Race& race : figure.races) text += race_section(race);
  return text;
}

std::string figure3_json(const Figure3& figure) {
  using Json = nlohmann::ordered_json;
  Json lines = Json::array();
  for (const Figure3Line& line : figure.lines)
    lines.push_back({{"method", line.method},
                     {"setting", json_of(line.setting)},
                     {"chosen", line.chosen},
                     {"seeds", line.seeds},
                     {"loss", line.loss},
                     {"test_accuracy", line.accuracy},
                     {"best_test_accuracy", line.best_accuracy},
                     {"spread", line.spread},
                     {"exchanges", line.exchanges}});
  Json races = Json::array();
  for (const Figure3Race& race : figure.races) races.push_back(json_of(race));
  return Json{{"schema_version", 2},         {"complete", figure.complete()},       {"data", figure.setup.data},
              {"model", figure.setup.model}, {"rounds", figure.setup.rounds},       {"grid", figure.grid()},
              {"seen", figure.seen()},       {"arithmetic", arithmetic_of(figure)}, {"lines", std::move(lines)},
              {"races", std::move(races)}}
             .dump(2) +
         "\n";
}

std::string figure3_svg(const Figure3& figure) {
  return figure_svg(std::vector{panel_of(figure, "training loss f", &Figure3Point::f),
                                panel_of(figure, "test accuracy", &Figure3Point::accuracy)});
}

}  // namespace driftless
