#include "driftless/reproduce/figure3_grid.hpp"

#include "driftless/core/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

constexpr std::size_t short_rounds = 20;  // trials of at most so many rounds are measured at their end alone
constexpr std::size_t points_of_curve = 8;

bool has_lambda(const std::string& method) {
  return method == "fedprox" || method == "dane+-sgd" || method == "fedred-sgd";
}

template <class Value>
void check_values(const char* what, const std::vector<Value>& asked, const std::vector<Value>& known) {
  for (const Value& value : asked)
    if (std::ranges::find(known, value) == known.end())
      throw ConfigError({.what = fmt::format("the grid of figure 3 has no such {}", what),
                         .seen = fmt::format("{}", value),
                         .advice = fmt::format("choose from {}", fmt::join(known, ", "))});
}

}  // namespace

std::string to_text(const Figure3Setting& setting) {
  std::string text = fmt::format("rate {}, K {}", setting.rate, setting.local_steps);
  if (setting.lambda) text += fmt::format(", λ {}", *setting.lambda);
  return text;
}

void Figure3Grid::check() const {
  const Figure3Grid whole;
  check_values("learning rate", rates, whole.rates);
  check_values("number of local steps", local_steps, whole.local_steps);
  check_values("lambda", lambdas, whole.lambdas);
  check_values("method", methods, whole.methods);
}

std::vector<Figure3Setting> Figure3Grid::settings_of(const std::string& method) const {
  std::vector<Figure3Setting> settings;
  if (std::ranges::find(methods, method) == methods.end()) return settings;
  const std::vector<std::size_t> steps =
      method == central ? std::vector{Figure3Grid().local_steps.front()} : local_steps;
  for (const std::size_t k : steps)
    for (const double rate : rates) {
      if (!has_lambda(method)) settings.push_back({.rate = rate, .local_steps = k});
      else
        for (const double lambda : lambdas) settings.push_back({.rate = rate, .local_steps = k, .lambda = lambda});
    }
  return settings;
}

std::string method_lines(const std::string& method, const Figure3Setting& setting) {
  const std::string steps = fmt::format("local_steps = {}\n", setting.local_steps);
  const std::string p = fmt::format("p = {}\n", 1.0 / static_cast<double>(setting.local_steps));
  const std::string pull = fmt::format("lambda = {}\neta = {}\n", setting.lambda.value_or(0.0), 1.0 / setting.rate);
  const std::string step = fmt::format("step = {}\n", setting.rate);
  if (method == "fedavg" || method == Figure3Grid::central) return step + steps;
  if (method == "scaffold") return step + "control_variate = \"exact\"\n" + steps;
  if (method == "scaffnew") return step + p;
  if (method == "fedprox") return "solver = \"sgd\"\n" + pull + steps;
  if (method == "dane+-sgd") return pull + steps;
  return pull + p;  // fedred-sgd
}

std::string trial_config(const Figure3Setup& setup, const Figure3Trial& trial) {
  const bool central = trial.method == Figure3Grid::central;
  const std::size_t every =
      trial.rounds <= short_rounds ? trial.rounds : std::max<std::size_t>(1, trial.rounds / points_of_curve);
  return fmt::format(
      "seed = 1\n\n[problem]\nkind = \"torch\"\nmodel = \"{}\"\ndata = \"{}\"\n{}augment = true\nprecision = \"auto\"\n"
      "\n[federation]\n{}\n[stop]\nrounds = {}\n\n[output]\nevery = {}\n"
      "\n[[method]]\nname = \"{}\"\nlabel = \"{}\"\nseed = {}\nbatch = 512\n{}",
      setup.model, setup.data, setup.images ? fmt::format("images = {}\n", *setup.images) : "",
      central ? "clients = 1\n" : "clients = 10\nsplit = \"dirichlet-lin\"\nalpha = 0.5\n", trial.rounds, every,
      central ? "fedavg" : trial.method, trial.method, trial.seed, method_lines(trial.method, trial.setting));
}

}  // namespace driftless
