#include "driftless/reproduce/rate_study.hpp"

#include "driftless/core/check.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/methods/uses_chance.hpp"
#include "driftless/reproduce/rate_problems.hpp"
#include "driftless/results/target_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace driftless {
namespace {

RateSetting setting_with(const RateClaim& claim, double value) {
  RateSetting s = claim.base;
  switch (claim.varied) {
    case Varied::smoothness: s.L = value; break;
    case Varied::convexity: s.mu = value; break;
    case Varied::dissimilarity:
    case Varied::delta_B: s.delta = value; break;
    case Varied::delta_A: s.delta_A = value; break;
    case Varied::clients: s.clients = static_cast<std::size_t>(value); break;
    case Varied::digits: s.accuracy = std::pow(10.0, -value); break;
    case Varied::epsilon: s.accuracy = value; break;
    case Varied::local_steps: s.local_steps = value; break;
    case Varied::coin: s.p = value; break;
  }
  return s;
}

// Strongly convex: what is spent before the gap has fallen to this fraction belongs to the fast directions, not to the
// rate.
constexpr double warm_up = 1e-5;

StopConditions goal_of(RateColumn column, const RateSetting& s, const Problem& problem, ThreadPool& pool) {
  StopConditions stop;
  if (column == RateColumn::strongly_convex) stop = target_at(problem, warm_up * s.accuracy, pool);
  if (column == RateColumn::convex) stop.gap = s.accuracy;
  if (column == RateColumn::non_convex) stop.grad_norm = std::sqrt(s.accuracy);
  stop.rounds = 1000000;
  return stop;
}

struct RunCost {
  double exchanges = std::numeric_limits<double>::quiet_NaN();
  double local_steps = std::numeric_limits<double>::quiet_NaN();  // per round
};

RunCost cost_of_run(RateColumn column, const MethodTrial& run) {
  if (run.reason != StopReason::gap && run.reason != StopReason::grad_norm) return {};
  const TraceRow* begin = &run.rows.front();
  if (column == RateColumn::strongly_convex) begin = first_at(run.rows, warm_up);
  const TraceRow& end = run.last();
  const auto between = [&](std::uint64_t TraceRow::* count) {
    return static_cast<double>(end.*count) - static_cast<double>(begin->*count);
  };
  return {.exchanges = between(&TraceRow::exchanges),
          .local_steps = between(&TraceRow::local_steps) / between(&TraceRow::round)};
}

// The same runs serve several claims: rounds and local steps, and the point that all sweeps have in common.
class Measurements {
 public:
  explicit Measurements(const RateStudyOptions& options) : options_(options) {}

  std::vector<double> of(const RateClaim& claim, double value) {
    const RateSetting setting = setting_with(claim, value);
    const auto [known, added] = costs_.try_emplace(Key{claim.column, claim.label, setting});
    if (added) known->second = measure(claim, setting);
    std::vector<double> measured;
    for (const RunCost& cost : known->second)
      measured.push_back(claim.counted == Counted::exchanges ? cost.exchanges : cost.local_steps);
    return measured;
  }

 private:
  using Key = std::tuple<RateColumn, std::string, RateSetting>;

  std::vector<RunCost> measure(const RateClaim& claim, const RateSetting& setting) {
    const Problem problem = rate_problem(claim.column, setting);
    const MethodEntry& entry = find_method(claim.method);
    const Settings given = claim.options ? claim.options(setting, *problem.constants) : Settings{};
    const Settings settings = theory_settings(entry, *problem.constants, given);
    const StopConditions goal = goal_of(claim.column, setting, problem, pool_);
    const std::size_t seeds = uses_chance(entry, settings) ? options_.seeds * claim.seeds_factor : 1;
    std::vector<RunCost> costs;
    for (std::size_t seed = 1; seed <= seeds && !options_.stop_token.stop_requested(); ++seed) {
      const MethodTrialOptions trial{.stop = goal, .seed = seed, .stop_token = options_.stop_token};
      costs.push_back(cost_of_run(claim.column, try_method(problem, entry, settings, trial, pool_)));
    }
    return costs;
  }

  const RateStudyOptions& options_;
  ThreadPool pool_{1};  // the problems are small
  std::map<Key, std::vector<RunCost>> costs_;
};

// Of the mean of the exponents that single seeds give. The same seeds are used at every point, so they are not
// independent there; the exponents of different seeds are.
double standard_error(const std::vector<RatePoint>& points) {
  const std::size_t seeds = points.front().measured.size();
  if (seeds < 2) return 0.0;
  std::vector<double> exponents;
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<std::pair<double, double>> own;
    for (const RatePoint& p : points) own.emplace_back(p.value, p.measured[seed]);
    exponents.push_back(fitted_exponent(own));
  }
  const double n = static_cast<double>(seeds);
  const double mean = std::accumulate(exponents.begin(), exponents.end(), 0.0) / n;
  double squares = 0.0;
  for (const double e : exponents) squares += (e - mean) * (e - mean);
  return std::sqrt(squares / (n - 1.0) / n);
}

}  // namespace

double RatePoint::mean() const {
  return std::accumulate(measured.begin(), measured.end(), 0.0) / static_cast<double>(measured.size());
}

double fitted_exponent(const std::vector<std::pair<double, double>>& points) {
  DRIFTLESS_ASSERT(points.size() >= 2, "an exponent needs two points");
  double mean_x = 0.0;
  double mean_y = 0.0;
  const double n = static_cast<double>(points.size());
  for (const auto& [value, measured] : points) {
    mean_x += std::log(value) / n;
    mean_y += std::log(measured) / n;
  }
  double xy = 0.0;
  double xx = 0.0;
  for (const auto& [value, measured] : points) {
    const double x = std::log(value) - mean_x;
    xy += x * (std::log(measured) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

RateFit fitted(RateClaim claim, std::vector<RatePoint> points) {
  RateFit fit{.claim = std::move(claim), .points = std::move(points)};
  std::vector<std::pair<double, double>> means;
  for (const RatePoint& p : fit.points) means.emplace_back(p.value, p.mean());
  fit.exponent = fitted_exponent(means);
  fit.error = standard_error(fit.points);
  return fit;
}

RateVerdict RateFit::verdict() const {
  if (!std::isfinite(exponent)) return RateVerdict::differs;
  if (!(2.0 * error <= tolerance)) return RateVerdict::undecided;
  const bool near = std::abs(exponent - claim.exponent) <= tolerance;
  const bool below =
      claim.upper_bound && std::abs(exponent) < std::abs(claim.exponent) && exponent * claim.exponent >= 0.0;
  return near || below ? RateVerdict::agrees : RateVerdict::differs;
}

std::vector<RateFit> rate_study(const std::vector<RateClaim>& claims, const RateStudyOptions& options) {
  Measurements measurements(options);
  std::vector<RateFit> fits;
  for (const RateClaim& claim : claims) {
    std::vector<RatePoint> points;
    for (const double value : claim.values) {
      points.push_back({value, measurements.of(claim, value)});
      if (options.stop_token.stop_requested()) return fits;
    }
    fits.push_back(fitted(claim, std::move(points)));
    if (options.on_fit) options.on_fit(fits.back());
  }
  return fits;
}

}  // namespace driftless
