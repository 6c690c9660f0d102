#include "driftless/theory/predictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace driftless {
namespace {

std::string obstacle_of(const RoundBound& bound, const Constants& c) {
  if (!c.convex()) return "a client is not convex";
  if (bound.needs_strong_convexity && c.mu <= 0.0) return "needs μ > 0";
  return bound.obstacle != nullptr ? bound.obstacle(c) : "";
}

Prediction predict_by(const MethodEntry& entry, const RateInput& in, Index dim) {
  const RoundBound& bound = *entry.rate.bound;
  Prediction line{.method = entry.name,
                  .theorem = bound.formula,
                  .order = bound.order_only,
                  .similarity = bound.uses_similarity,
                  .obstacle = obstacle_of(bound, in.constants),
                  .local_steps = {}};
  if (!line.obstacle.empty()) return line;
  const RoundCount count = bound.count(in);
  const std::unique_ptr<Method> method = entry.make(entry.demo);  // what a round sends does not depend on the numbers
  const std::size_t n = in.constants.clients;
  const auto cost = [&](const Traffic& traffic, double times) {
    line.exchanges += times * static_cast<double>(traffic.exchanges);
    line.bytes += times * static_cast<double>(traffic.up + traffic.down) * sizeof(double) * static_cast<double>(dim);
  };
  cost(method->start_traffic(n), 1.0);
  cost(method->round_traffic(n), count.rounds);
  cost(method->coin_traffic(n), count.coins);
  line.exchanges = std::ceil(line.exchanges);
  line.rounds = count.rounds;
  line.local_steps = count.local_steps;
  return line;
}

std::vector<const MethodEntry*> entries_with_a_bound() {
  std::vector<const MethodEntry*> entries;
  for (const MethodEntry& entry : method_catalog())
    if (entry.rate.bound) entries.push_back(&entry);
  std::ranges::stable_sort(entries, {}, [](const MethodEntry* entry) { return entry->rate.bound->position; });
  return entries;
}

std::string shown(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

std::string shown_count(double count) {
  constexpr double readable = 1e7;
  return count < readable ? std::to_string(std::llround(count)) : shown(count);
}

struct Currency {
  const char* name;
  double (*price)(const Prediction&);
};

constexpr double unknown = std::numeric_limits<double>::infinity();

constexpr std::array<Currency, 3> currencies{
    {{"rounds", [](const Prediction& p) { return p.rounds; }},
     {"exchanges", [](const Prediction& p) { return p.exchanges; }},
     {"gradients", [](const Prediction& p) { return p.local_steps.value_or(unknown); }}}};

// The least price among the methods whose bound has numbers; null where there is none.
const Prediction* cheapest(const std::vector<Prediction>& lines, const Currency& currency, bool with_orders) {
  const Prediction* best = nullptr;
  for (const Prediction& line : lines) {
    const bool candidate = line.obstacle.empty() && (with_orders || !line.order);
    if (!candidate || !std::isfinite(currency.price(line))) continue;
    if (best == nullptr || currency.price(line) < currency.price(*best)) best = &line;
  }
  return best;
}

std::string named(const Prediction& line, const Currency& currency) {
  return line.method + " (" + shown_count(currency.price(line)) + ")";
}

// What the numbers of the table say, and nothing beside them.
std::string worst_case_of(const std::vector<Prediction>& lines, const Constants& c, const std::string& valid) {
  const std::string ratio = "L/delta_A = " + shown(c.delta_A > 0.0 ? c.L / c.delta_A : unknown);
  const std::string head = "Worst case with the constants " + valid + " (" + ratio + "): ";
  std::string choices;
  for (const Currency& currency : currencies)
    if (const Prediction* best = cheapest(lines, currency, false))
      choices += (choices.empty() ? "" : ", ") + std::string("fewest ") + currency.name + " " + named(*best, currency);
  if (choices.empty()) return head + "no theorem of the list applies, because " + lines.front().obstacle + ".";
  const Prediction* const proved = cheapest(lines, currencies.front(), false);
  const Prediction* const best = cheapest(lines, currencies.front(), true);
  std::string text = head + "what is proved is " + choices + ".";
  if (best != proved)
    text += " A bound that is known up to a constant factor is lower: " + named(*best, currencies.front()) + " rounds.";
  return text +
         (best->similarity ? " The lowest bound of rounds has delta in it."
                           : " The lowest bound of rounds has no delta in it.") +
         " Runs are often far faster than such bounds.";
}

}  // namespace

Predictions predict(const RateInput& input, Index dim, const std::string& valid) {
  Predictions predictions;
  for (const MethodEntry* entry : entries_with_a_bound()) predictions.lines.push_back(predict_by(*entry, input, dim));
  predictions.worst_case = worst_case_of(predictions.lines, input.constants, valid);
  return predictions;
}

}  // namespace driftless
