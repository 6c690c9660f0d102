// Figure 2 for people and for programs.
#include "driftless/data/known_data.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/reproduce/figure2.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

std::string cost_cell(const std::optional<Cost>& cost) {
  return cost ? fmt::format("{} / {} / {}", cost->rounds, cost->exchanges, cost->grad_evals) : "–";
}

std::string seeds_cell(const std::vector<double>& rounds) {
  std::vector<std::string> words;
  for (const double mean : rounds) words.push_back(mean >= 0.0 ? fmt::format("{:.1f}", mean) : "–");
  return fmt::format("{}", fmt::join(words, ", "));
}

double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }

std::string sets_table(const Figure2& figure) {
  std::string text =
      "| data | rows | variables | L/δ_A at 0 | L/δ_A at the optimum | δ_A/μ at the optimum | √(L/μ) at the optimum |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n";
  for (const Figure2Set& set : figure.sets) {
    const Constants& best = set.at_optimum;
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.1f} | {:.0f} | {:.0f} |\n", set.name, set.rows, set.variables,
                        over(set.at_zero.L, set.at_zero.delta_A), over(best.L, best.delta_A),
                        over(best.delta_A, best.mu), std::sqrt(over(best.L, best.mu)));
  }
  return text;
}

std::string lines_table(const Figure2& figure) {
  std::string text = "| data | method | best setting |";
  std::string rule = "|---|---|---|";
  for (const double target : figure2_targets) {
    text += fmt::format(" to {} |", target_text(target));
    rule += "---:|";
  }
  text += fmt::format(" gap left | mean rounds, {} seeds | settings tried |\n{}---:|---:|---:|\n", figure2_seeds, rule);
  for (const Figure2Line& line : figure.lines) {
    text += fmt::format("| {} | {} | {} |", line.data, line.method, line.options);
    for (const std::optional<Cost>& cost : line.found.trial.at) text += fmt::format(" {} |", cost_cell(cost));
    text += fmt::format(" {:.1e} | {} | {}{} |\n", line.found.trial.part, seeds_cell(line.rounds_over_seeds),
                        line.found.tried, line.found.settled ? "" : ", not settled");
  }
  return text;
}

Json line_json(const Figure2Line& line) {
  Json at = Json::array();
  for (std::size_t t = 0; t < line.found.trial.at.size(); ++t) {
    const std::optional<Cost>& cost = line.found.trial.at[t];
    if (cost)
      at.push_back({{"target", figure2_targets[t]},
                    {"rounds", cost->rounds},
                    {"exchanges", cost->exchanges},
                    {"gradients", cost->grad_evals}});
  }
  return {{"data", line.data},
          {"method", line.method},
          {"settings", line.options},
          {"reached", std::move(at)},
          {"gap_left", line.found.trial.part},
          {"rounds_over_seeds", line.rounds_over_seeds},
          {"tried", line.found.tried},
          {"settled", line.found.settled}};
}

}  // namespace

std::string figure2_markdown(const Figure2& figure, const Figure2Plan& plan) {
  std::string text = fmt::format(
      "# Figure 2\n\nThe paper reports that DANE+-GD and FedRed-GD converge fast on four LIBSVM sets, against "
      "Scaffold, "
      "Scaffnew, FedProx and GD, each with the best of a grid. It names neither the sets nor the grids nor alpha.\n\n"
      "Here: l2 = 1/M, n = 5, split: {}. Every trial has {} rounds and {} gradients of the busiest client, every "
      "method "
      "at most {} settings. The search begins with the grid of NAME-search.toml and then moves one option at a time by "
      "factors of 4, then of 2, as long as that gives fewer rounds or a gap less by 5 %; 'not settled' says that it "
      "would have gone on. The best setting is "
      "the one with fewest rounds to {} of the first gap, or with the least gap.\n\n{}\nRounds / exchanges / gradients "
      "of the best setting, with the coins it was found with; then the mean rounds to the three targets over other "
      "coins:\n\n{}",
      plan.split == Figure2Split::dirichlet ? "Dirichlet with alpha = 1" : "even, at random", plan.rounds,
      plan.gradients, plan.settings, target_text(figure2_targets.back()), sets_table(figure), lines_table(figure));
  for (const std::string& set : figure.missing)
    text += find_known_data(set) != nullptr
                ? fmt::format("\n{} was not found: driftless data get {}\n", set, set)
                : fmt::format("\n{} was not found: give a path, or name its folder in DRIFTLESS_DATA\n", set);
  return text;
}

std::string figure2_json(const Figure2& figure, const Figure2Plan& plan) {
  Json sets = Json::array();
  for (const Figure2Set& set : figure.sets)
    sets.push_back({{"data", set.name},
                    {"rows", set.rows},
                    {"variables", set.variables},
                    {"at_zero", constants_json(set.at_zero)},
                    {"at_optimum", constants_json(set.at_optimum)}});
  Json lines = Json::array();
  for (const Figure2Line& line : figure.lines) lines.push_back(line_json(line));
  const Json json{
      {"schema_version", 2},
      {"complete", figure.complete},
      {"split", enum_name(plan.split)},
      {"budget", {{"rounds", plan.rounds}, {"gradients", plan.gradients}, {"settings_per_method", plan.settings}}},
      {"targets", figure2_targets},
      {"missing", figure.missing},
      {"sets", std::move(sets)},
      {"lines", std::move(lines)}};
  return json.dump(2) + "\n";
}

}  // namespace driftless
