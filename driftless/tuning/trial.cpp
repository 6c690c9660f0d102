#include "driftless/tuning/trial.hpp"

#include "driftless/experiments/method_trial.hpp"
#include "driftless/methods/uses_chance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

double size_of(const TraceRow& row, Yardstick yardstick) {
  return yardstick == Yardstick::gap ? row.f_gap.value_or(row.grad_norm) : row.grad_norm;
}

// The rows within the budget: the last round may have exceeded it.
std::vector<TraceRow> within(const Budget& budget, const std::vector<TraceRow>& rows) {
  std::vector<TraceRow> paid;
  std::ranges::copy_if(rows, std::back_inserter(paid), [&](const TraceRow& row) { return budget.allows(row); });
  return paid;
}

Cost mean_cost(const std::vector<Cost>& costs) {
  const auto mean = [&](std::uint64_t Cost::* count) {
    std::uint64_t sum = 0;
    for (const Cost& cost : costs) sum += cost.*count;
    return (sum + costs.size() / 2) / costs.size();
  };
  return {.rounds = mean(&Cost::rounds),
          .exchanges = mean(&Cost::exchanges),
          .bytes = mean(&Cost::bytes),
          .grad_evals = mean(&Cost::grad_evals)};
}

double least_part(const std::vector<TraceRow>& rows) {
  const Yardstick yardstick = yardstick_of(rows);
  const double first = size_of(rows.front(), yardstick);
  double least = 1.0;
  for (const TraceRow& row : rows)
    if (const double part = size_of(row, yardstick) / first; std::isfinite(part)) least = std::min(least, part);
  return std::max(least, 0.0);  // by rounding f may be below f*
}

}  // namespace

std::uint64_t Cost::in(Currency currency) const {
  switch (currency) {
    case Currency::rounds: return rounds;
    case Currency::exchanges: return exchanges;
    case Currency::bytes: return bytes;
    case Currency::grad_evals: return grad_evals;
  }
  return rounds;
}

Cost cost_of(const TraceRow& row) {
  return {.rounds = row.round,
          .exchanges = row.exchanges,
          .bytes = row.bytes_up + row.bytes_down,
          .grad_evals = row.grad_evals};
}

std::size_t TrialResult::reached() const {
  return static_cast<std::size_t>(std::ranges::count_if(at, [](const auto& cost) { return cost.has_value(); }));
}

namespace {

TrialResult run_once(const Trial& trial, std::size_t seed, const TrialContext& context,
                     const ClientObjectives& clients) {
  const MethodConfig& method = context.config.run.methods[trial.method];
  MethodTrialOptions options{.stop = trial.budget.stop(),
                             .seed = seed,
                             .every = context.config.run.output.every,
                             .stop_token = context.stop_token,
                             .copies = &clients};
  options.stop.gap = context.goal.gap;
  options.stop.grad_norm = context.goal.grad_norm;
  ThreadPool pool(1);
  const MethodTrial run =
      try_method(context.problem, find_method(method.name), with(method.settings, trial.chosen), options, pool);

  TrialResult result{.trial = trial, .reason = run.reason, .spent = cost_of(run.last()), .at = {}};
  std::vector<TraceRow> rows = within(trial.budget, run.rows);
  if (rows.empty()) rows.push_back(run.rows.front());  // the start alone exceeded it
  result.part = least_part(rows);
  for (const double target : context.config.keys.targets) {
    const TraceRow* hit = first_at(rows, target);
    result.at.push_back(hit != nullptr ? std::optional(cost_of(*hit)) : std::nullopt);
  }
  return result;
}

}  // namespace

TrialResult mean_of(const std::vector<TrialResult>& runs) {
  if (runs.size() == 1) return runs.front();
  TrialResult mean = runs.front();
  std::vector<Cost> spent;
  double logs = 0.0;
  for (const TrialResult& run : runs) {
    spent.push_back(run.spent);
    logs += std::log(std::max(run.part, std::numeric_limits<double>::min()));
    const bool worse = run.reason == StopReason::diverged || mean.reason == StopReason::gap;
    if (worse && mean.reason != StopReason::diverged) mean.reason = run.reason;
  }
  mean.spent = mean_cost(spent);
  mean.part = std::exp(logs / static_cast<double>(runs.size()));
  for (std::size_t t = 0; t < mean.at.size(); ++t) {
    std::vector<Cost> costs;
    for (const TrialResult& run : runs)
      if (run.at[t]) costs.push_back(*run.at[t]);
    mean.at[t] = costs.size() == runs.size() ? std::optional(mean_cost(costs)) : std::nullopt;
  }
  return mean;
}

TrialResult run_trial(const Trial& trial, const TrialContext& context, const ClientObjectives& clients) {
  const MethodConfig& method = context.config.run.methods[trial.method];
  const bool chance = uses_chance(find_method(method.name), with(method.settings, trial.chosen));
  const std::size_t seeds = chance ? context.config.keys.seeds.value_or(1) : 1;
  std::vector<TrialResult> runs;
  for (std::size_t k = 0; k < seeds; ++k) {
    runs.push_back(run_once(trial, method.seed + k, context, clients));
    if (runs.back().reason == StopReason::interrupted) return runs.back();
    if (runs.back().reason == StopReason::diverged) break;  // the others cannot help it
  }
  return mean_of(runs);
}

bool better(const TrialResult& a, const TrialResult& b, Currency currency) {
  if (a.reached() != b.reached()) return a.reached() > b.reached();
  const bool lost = a.reason == StopReason::diverged;
  if (lost != (b.reason == StopReason::diverged)) return !lost;
  const bool all = a.at.back() && b.at.back();
  if (all && a.at.back()->in(currency) != b.at.back()->in(currency))
    return a.at.back()->in(currency) < b.at.back()->in(currency);
  if (!all && a.part != b.part) return a.part < b.part;
  return a.trial.number < b.trial.number;
}

}  // namespace driftless
