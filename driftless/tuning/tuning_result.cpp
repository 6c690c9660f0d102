#include "driftless/tuning/tuning_result.hpp"

#include <algorithm>
#include <tuple>

namespace driftless {
namespace {

// Cheapest in the currency; what else it took settles a tie.
auto price(const TrialResult& result, std::size_t target, Currency currency) {
  const Cost& cost = *result.at[target];
  return std::tuple(cost.in(currency), cost.rounds, cost.grad_evals, result.trial.number);
}

}  // namespace

std::vector<TrialResult> TuningResult::settings() const {
  std::map<std::size_t, const TrialResult*> last;
  for (const TrialResult& result : trials) last[result.trial.number] = &result;  // rungs rise
  std::vector<TrialResult> results;
  for (const auto& [number, result] : last) results.push_back(*result);
  return results;
}

const TrialResult* best_at(const std::vector<TrialResult>& settings, std::size_t target, std::size_t method,
                           Currency currency) {
  const TrialResult* best = nullptr;
  for (const TrialResult& result : settings) {
    if (result.trial.method != method || !result.at[target]) continue;
    if (best == nullptr || price(result, target, currency) < price(*best, target, currency)) best = &result;
  }
  return best;
}

std::vector<const TrialResult*> frontier_at(const std::vector<TrialResult>& settings, std::size_t target) {
  std::vector<const TrialResult*> points;
  for (const TrialResult& result : settings)
    if (result.at[target]) points.push_back(&result);
  std::ranges::sort(points, {}, [&](const TrialResult* r) { return price(*r, target, Currency::rounds); });
  std::vector<const TrialResult*> frontier;
  for (const TrialResult* point : points)
    if (frontier.empty() || point->at[target]->grad_evals < frontier.back()->at[target]->grad_evals)
      frontier.push_back(point);
  return frontier;
}

}  // namespace driftless
