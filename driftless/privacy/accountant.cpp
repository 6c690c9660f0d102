#include "driftless/privacy/accountant.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/text.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr int orders_per_doubling = 4;
constexpr int lowest_exponent = -6;
constexpr int highest_exponent = 14;

// Whole orders are cheaper and, where they are large, as good as those between.
double tidy(double order) { return order < 256.0 ? order : std::round(order); }

double grid_order(int step) {
  return tidy(1.0 + std::exp2(lowest_exponent + static_cast<double>(step) / orders_per_doubling));
}

double epsilon_at(double order, double rdp, double delta) {
  const double converted = rdp + std::log1p(-1.0 / order) - (std::log(delta) + std::log(order)) / (order - 1.0);
  return std::max(0.0, converted);
}

void require_delta(double delta) {
  if (delta > 0.0 && delta < 1.0) return;
  throw ConfigError({.what = "delta is a chance above 0 and below 1",
                     .seen = "delta = " + number(delta),
                     .advice = "give a delta well below 1 over the number of records, such as 1e-6"});
}

// Moves the bound towards the least between two orders, as long as they differ in their third digit.
template <class Evaluate>
void refine(double low, double high, Accountant::Bound& best, const Evaluate& evaluate) {
  constexpr double golden = 0.6180339887498949;
  const auto better = [&](double order) {
    const double epsilon = evaluate(order);
    if (epsilon < best.epsilon) best = {epsilon, order};
    return epsilon;
  };
  while (high - low > 1e-3 * (high - 1.0)) {
    const double left = tidy(high - golden * (high - low));
    const double right = tidy(low + golden * (high - low));
    if (left >= right || left <= low || right >= high) return;
    if (better(left) < better(right)) high = right;
    else low = left;
  }
}

}  // namespace

void Accountant::add(const Mechanism& mechanism, std::size_t count) {
  if (count > 0) released_.emplace_back(mechanism, static_cast<double>(count));
}

double Accountant::rdp(double order) const {
  double sum = 0.0;
  for (const auto& [mechanism, count] : released_) sum += count * mechanism.rdp(order);
  return sum;
}

Accountant::Bound Accountant::bound(double delta) const {
  require_delta(delta);
  if (released_.empty()) return {};
  const auto evaluate = [&](double order) { return epsilon_at(order, rdp(order), delta); };
  constexpr int last = (highest_exponent - lowest_exponent) * orders_per_doubling;
  int best_step = 0;
  Bound best{evaluate(grid_order(0)), grid_order(0)};
  for (int step = 1; step <= last; ++step) {
    const double epsilon = evaluate(grid_order(step));
    if (epsilon >= best.epsilon) continue;
    best = {epsilon, grid_order(step)};
    best_step = step;
  }
  refine(grid_order(std::max(0, best_step - 1)), grid_order(std::min(last, best_step + 1)), best, evaluate);
  return best;
}

double noise_for(const PrivacyBudget& budget, std::size_t exchanges, double rate) {
  if (exchanges == 0) return 0.0;
  if (!(budget.epsilon > 0.0))
    throw ConfigError({.what = "a privacy budget needs a positive epsilon",
                       .seen = "epsilon = " + number(budget.epsilon),
                       .advice = "give an epsilon such as 1"});
  const auto within = [&](double noise) {
    Accountant accountant;
    accountant.add(Mechanism::sampled_gaussian(noise, rate), exchanges);
    return accountant.epsilon(budget.delta) <= budget.epsilon;
  };
  constexpr double most = 1e9;
  double high = 1.0;
  while (!within(high)) {
    high *= 2.0;
    if (high > most)
      throw ConfigError({.what = "no noise gives this privacy",
                         .seen = "epsilon = " + number(budget.epsilon) + ", delta = " + number(budget.delta),
                         .advice = "give an epsilon of at least 0.001"});
  }
  double low = high / 2.0;
  while (within(low)) {
    high = low;
    low /= 2.0;
  }
  while (high - low > 1e-6 * high) {
    const double middle = 0.5 * (low + high);
    (within(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace driftless
