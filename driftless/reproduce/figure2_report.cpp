// Figure 2 for people and for programs.
#include "driftless/data/known_data.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

std::string count_text(std::optional<double> value) { return value ? fmt::format("{:g}", *value) : "–"; }

// "12 [10–17] / 24 / 130": rounds with their range, exchanges, gradients
std::string target_cell(const Figure2Line& line, std::size_t target) {
  const Figure2Median rounds = median_of(line.runs, target, &Cost::rounds);
  if (!rounds.least) return "–";
  const std::string range = line.runs.size() < 2 ? ""
                                                 : fmt::format(" [{}–{}]", count_text(rounds.least),
                                                               rounds.most ? count_text(rounds.most) : "∞");
  if (!rounds.middle) return "∞" + range;
  return fmt::format("{}{} / {} / {}", count_text(rounds.middle), range,
                     count_text(median_of(line.runs, target, &Cost::exchanges).middle),
                     count_text(median_of(line.runs, target, &Cost::grad_evals).middle));
}

std::string alpha_text(const Figure2Case& c) { return c.alpha ? fmt::format("{:g}", *c.alpha) : "iid"; }

std::string range_text(const std::vector<Constants>& draws, double (*number)(const Constants&), const char* format) {
  std::vector<double> values;
  for (const Constants& c : draws) values.push_back(number(c));
  if (values.empty()) return "–";
  std::ranges::sort(values);
  const auto text = [&](double value) { return fmt::format(fmt::runtime(format), value); };
  const std::string middle = text(values[values.size() / 2]);
  return values.size() < 2 ? middle : middle + " [" + text(values.front()) + "–" + text(values.back()) + "]";
}

double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }

double similarity(const Constants& c) { return over(c.L, c.delta_A); }
double difficulty(const Constants& c) { return over(c.delta_A, c.mu); }
double root_of_condition(const Constants& c) { return std::sqrt(over(c.L, c.mu)); }

std::string cases_table(const Figure2& figure) {
  std::string text =
      "| data | alpha | rows | variables | L/δ_A at 0 | L/δ_A at the optimum | δ_A/μ at the optimum | √(L/μ) at the "
      "optimum |\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const Figure2Case& c : figure.cases)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", c.data, alpha_text(c), c.rows, c.variables,
                        range_text(c.at_zero, similarity, "{:.1f}"), range_text(c.at_optimum, similarity, "{:.1f}"),
                        range_text(c.at_optimum, difficulty, "{:.0f}"),
                        range_text(c.at_optimum, root_of_condition, "{:.0f}"));
  return text;
}

std::string lines_table(const Figure2& figure) {
  std::string text = "| data | alpha | method | best setting |";
  std::string rule = "|---|---:|---|---|";
  for (const double target : figure2_targets) {
    text += fmt::format(" to {} |", target_text(target));
    rule += "---:|";
  }
  text += fmt::format(" runs to {} | settings tried |\n{}---:|---:|\n", target_text(figure2_targets.back()), rule);
  for (const Figure2Line& line : figure.lines) {
    if (line.of >= figure.cases.size()) continue;  // its case was interrupted
    const Figure2Case& c = figure.cases[line.of];
    text += fmt::format("| {} | {} | {} | {} |", c.data, alpha_text(c), line.method, line.options);
    for (std::size_t t = 0; t < figure2_targets.size(); ++t) text += fmt::format(" {} |", target_cell(line, t));
    const auto arrived = std::ranges::count_if(line.runs, [](const Figure2Run& run) { return run.back().has_value(); });
    text += fmt::format(" {} of {} | {}{} |\n", arrived, line.runs.size(), line.found.tried,
                        line.found.settled ? "" : ", not settled");
  }
  return text;
}

Json line_json(const Figure2Line& line, const Figure2& figure) {
  Json runs = Json::array();
  for (const Figure2Run& run : line.runs) {
    Json at = Json::array();
    for (std::size_t t = 0; t < run.size(); ++t)
      if (run[t])
        at.push_back({{"target", figure2_targets[t]},
                      {"rounds", run[t]->rounds},
                      {"exchanges", run[t]->exchanges},
                      {"gradients", run[t]->grad_evals}});
    runs.push_back(std::move(at));
  }
  const Figure2Case& c = figure.cases[line.of];
  return {{"data", c.data},
          {"alpha", c.alpha ? Json(*c.alpha) : Json(nullptr)},
          {"method", line.method},
          {"settings", line.options},
          {"runs", std::move(runs)},
          {"gap_left_in_search", line.found.trial.part},
          {"tried", line.found.tried},
          {"settled", line.found.settled}};
}

Json case_json(const Figure2Case& c) {
  Json at_zero = Json::array();
  Json at_optimum = Json::array();
  for (const Constants& draw : c.at_zero) at_zero.push_back(constants_json(draw));
  for (const Constants& draw : c.at_optimum) at_optimum.push_back(constants_json(draw));
  return {{"data", c.data},
          {"alpha", c.alpha ? Json(*c.alpha) : Json(nullptr)},
          {"rows", c.rows},
          {"variables", c.variables},
          {"at_zero", std::move(at_zero)},
          {"at_optimum", std::move(at_optimum)}};
}

}  // namespace

std::string figure2_markdown(const Figure2& figure, const Figure2Plan& plan) {
  std::string text = fmt::format(
      "# Figure 2\n\nThe paper reports that DANE+-GD and FedRed-GD converge fast on four LIBSVM sets, against "
      "Scaffold, "
      "Scaffnew, FedProx and GD, each with the best of a grid. It names neither the sets nor the grids nor alpha.\n\n"
      "Here: l2 = 1/M, n = 5, split: {}, {} draws. Every run has {} rounds and {} gradients of the busiest client, "
      "every "
      "method at most {} settings, tried on the first draw; a method that tosses coins with {} seeds each. The search "
      "begins with the grid of NAME-search.toml and then moves one option at a time by factors of 4, then of 2, as "
      "long "
      "as that gives fewer rounds or a gap less by 5 %; 'not settled' says that it would have gone on. The best "
      "setting "
      "has the fewest rounds to {} of the first gap, or the least gap. Steps, eta and lambda are multiples of 1/L (gd: "
      "1/L_f) and L at 0, and have these multiples on the other draws too.\n\nMedian [range] over draws:\n\n{}\nMedian "
      "[range] of rounds / median of exchanges / of gradients, over draws, and seeds where coins are tossed; ∞ where a "
      "run did not reach the target:\n\n{}",
      plan.split == Figure2Split::dirichlet ? fmt::format("Dirichlet with alpha = {:g}", fmt::join(plan.alphas, ", "))
                                            : "even, at random",
      plan.draws, plan.rounds, plan.gradients, plan.settings, plan.seeds, target_text(figure2_targets.back()),
      cases_table(figure), lines_table(figure));
  for (const std::string& set : figure.missing)
    text += find_known_data(set) != nullptr
                ? fmt::format("\n{} was not found: driftless data get {}\n", set, set)
                : fmt::format("\n{} was not found: give a path, or name its folder in DRIFTLESS_DATA\n", set);
  return text;
}

std::string figure2_json(const Figure2& figure, const Figure2Plan& plan) {
  Json cases = Json::array();
  for (const Figure2Case& c : figure.cases) cases.push_back(case_json(c));
  Json lines = Json::array();
  for (const Figure2Line& line : figure.lines)
    if (line.of < figure.cases.size()) lines.push_back(line_json(line, figure));
  const Json json{
      {"schema_version", 3},
      {"complete", figure.complete},
      {"split", enum_name(plan.split)},
      {"draws", plan.draws},
      {"seeds", plan.seeds},
      {"budget", {{"rounds", plan.rounds}, {"gradients", plan.gradients}, {"settings_per_method", plan.settings}}},
      {"targets", figure2_targets},
      {"missing", figure.missing},
      {"cases", std::move(cases)},
      {"lines", std::move(lines)}};
  return json.dump(2) + "\n";
}

}  // namespace driftless
