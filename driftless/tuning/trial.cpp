#include "driftless/tuning/trial.hpp"

#include "driftless/experiments/method_trial.hpp"

#include <algorithm>
#include <cmath>

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

TrialResult run_trial(const Trial& trial, const TrialContext& context, const ClientObjectives& clients) {
  const MethodConfig& method = context.config.run.methods[trial.method];
  MethodTrialOptions options{
      .stop = trial.budget.stop(), .seed = method.seed, .every = context.config.run.output.every, .copies = &clients};
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
