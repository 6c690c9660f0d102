// The trials of the leading methods, and the advice that follows from them, as text and as JSON.
#include "driftless/config/method_config.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/experiments/method_advice.hpp"
#include "driftless/results/shown_settings.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

std::string goal_text(const MethodAdvice& advice) {
  return shown_target(advice.target) + " of the first " +
         (advice.yardstick == Yardstick::gap ? "gap" : "gradient norm");
}

std::string budget_text(const MethodAdvice& advice) {
  return fmt::format("at most {} exchanges and {} gradients each, {:g} s for all", advice.budget.exchanges,
                     advice.budget.grad_evals, advice.budget.seconds);
}

std::string name_of(const AdviceTrial& trial) {
  return trial.label.empty() || trial.label == trial.method ? trial.method : trial.label;
}

std::string setting_text(const AdviceTrial& trial) {
  std::string origin = "theory";
  if (!trial.label.empty()) origin = "as configured";
  else if (trial.settings.empty()) origin = "no parameters";
  else if (trial.multiple) origin = fmt::format("lambda of theory/{:.0f}", 1.0 / *trial.multiple);
  return trial.settings.empty() ? origin : shown_settings(trial.settings, 3) + " (" + origin + ")";
}

std::string result_text(const AdviceTrial& trial) {
  if (trial.reached) return "reached";
  if (trial.reason == StopReason::diverged) return "diverges";
  return fmt::format("{:.1e} left", trial.part_left);
}

std::vector<std::string> cells(const AdviceTrial& trial) {
  if (!trial.tried()) return {name_of(trial), "–", "–", "–", "not tried", trial.obstacle};
  const char* more = trial.reached ? "" : ">";
  return {name_of(trial),
          fmt::format("{}{}", more, trial.spent.round),
          fmt::format("{}{}", more, trial.spent.exchanges),
          trial.closed_form() ? "exact" : fmt::format("{}{}", more, trial.spent.grad_evals),
          result_text(trial),
          setting_text(trial)};
}

std::string costs_text(const AdviceTrial& trial) {
  return fmt::format(
      "{} exchanges, {} rounds, {}{}", trial.spent.exchanges, trial.spent.round,
      trial.closed_form() ? "local solves in closed form" : fmt::format("{} gradients", trial.spent.grad_evals),
      trial.chance ? ", one seed of its random draws" : "");
}

// What to paste into a configuration.
std::string table_text(const AdviceTrial& trial) {
  std::string text = "[[method]]\nname = " + toml_string(trial.method) + "\n";
  for (const auto& setting : trial.settings) text += shown_settings({setting}, 6) + "\n";
  return text;
}

Json trial_json(const AdviceTrial& trial) {
  Json json{{"method", trial.method},
            {"label", trial.label.empty() ? Json(nullptr) : Json(trial.label)},
            {"settings", settings_json(trial.settings)},
            {"lambda_multiple", trial.multiple ? Json(*trial.multiple) : Json(nullptr)},
            {"obstacle", trial.tried() ? Json(nullptr) : Json(trial.obstacle)}};
  if (!trial.tried()) return json;
  json["reached"] = trial.reached;
  json["end"] = enum_name(trial.reason);
  json["rounds"] = trial.spent.round;
  json["exchanges"] = trial.spent.exchanges;
  json["bytes"] = trial.spent.bytes_up + trial.spent.bytes_down;
  json["grad_evals"] = trial.spent.grad_evals;
  json["part_left"] = std::isfinite(trial.part_left) ? Json(trial.part_left) : Json(nullptr);
  return json;
}

}  // namespace

std::string advice_sentence(const MethodAdvice& advice) {
  if (const AdviceTrial* best = advice.recommended()) {
    const bool fewer = std::ranges::any_of(advice.trials, [&](const AdviceTrial& trial) {
      return trial.reached && trial.spent.exchanges < best->spent.exchanges;
    });
    std::string text = fmt::format("Advice from these trials: {} reaches {} with {} exchanges ({}).", name_of(*best),
                                   goal_text(advice), fewer ? "nearly the fewest" : "the fewest", costs_text(*best));
    if (const AdviceTrial* gradients = advice.fewest_gradients(); gradients != nullptr && gradients != best)
      text += fmt::format(" Where local work is what costs: {} ({}).", name_of(*gradients), costs_text(*gradients));
    if (const AdviceTrial* own = advice.recommended_of_configured(); own != nullptr && own != best)
      text += fmt::format(" Of the methods as configured: {} ({}).", name_of(*own), costs_text(*own));
    return text;
  }
  if (const AdviceTrial* nearest = advice.nearest())
    return fmt::format("No trial reached {} within {} exchanges and {} gradients; {} was nearest ({:.1e} left after "
                       "{}).",
                       goal_text(advice), advice.budget.exchanges, advice.budget.grad_evals, name_of(*nearest),
                       nearest->part_left, costs_text(*nearest));
  return "No trial gave a result, so there is no advice.";
}

std::string advice_text(const MethodAdvice& advice) {
  std::vector<std::vector<std::string>> lines{
      {"trials to " + goal_text(advice), "rounds", "exchanges", "gradients", "result", "setting"}};
  for (const AdviceTrial* trial : advice.best_of_each()) lines.push_back(cells(*trial));
  std::string text = aligned(lines, {0, 4, 5});
  text += fmt::format("({}; {} trials, the best of each method is shown)\n", budget_text(advice), advice.trials.size());
  if (advice.out_of_time)
    text += fmt::format("The {:g} s were over before all settings had been tried: -c inspect.seconds=60 tries more.\n",
                        advice.budget.seconds);
  text += "\n" + advice_sentence(advice) + "\n";
  const AdviceTrial* best = advice.recommended();
  return best != nullptr ? text + "\n" + table_text(*best) : text;
}

std::string trials_json(const MethodAdvice& advice) {
  Json trials = Json::array();
  for (const AdviceTrial& trial : advice.trials) trials.push_back(trial_json(trial));
  const auto index = [&](const AdviceTrial* trial) {
    return trial != nullptr ? Json(trial - advice.trials.data()) : Json(nullptr);
  };
  const Json json{{"schema_version", 1},
                  {"target", advice.target},
                  {"yardstick", enum_name(advice.yardstick)},
                  {"budget",
                   {{"exchanges", advice.budget.exchanges},
                    {"grad_evals", advice.budget.grad_evals},
                    {"seconds", advice.budget.seconds}}},
                  {"out_of_time", advice.out_of_time},
                  {"trials", std::move(trials)},
                  {"recommended", index(advice.recommended())},
                  {"fewest_gradients", index(advice.fewest_gradients())},
                  {"recommended_of_configured", index(advice.recommended_of_configured())},
                  {"advice", advice_sentence(advice)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
