#include "driftless/reproduce/rate_study.hpp"

#include "driftless/core/check.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/problems/quadratic_kind.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

// What all points have in common but for the one quantity that varies. δ/μ is large, so that (δ + μ)/μ is nearly δ/μ.
struct Setting {
  double L = 400.0;
  double mu = 0.5;
  double delta = 10.0;
  std::size_t clients = 5;
  double part = 1e-4;  // ε
};

const std::map<Quantity, std::vector<double>>& values_of_quantities() {
  static const std::map<Quantity, std::vector<double>> values{{Quantity::smoothness, {100.0, 200.0, 400.0, 800.0}},
                                                              {Quantity::convexity, {0.25, 0.5, 1.0, 2.0}},
                                                              {Quantity::dissimilarity, {5.0, 10.0, 20.0, 40.0}},
                                                              {Quantity::clients, {5.0, 10.0, 20.0, 40.0}},
                                                              {Quantity::accuracy, {1.0, 2.0, 4.0, 8.0}}};  // digits
  return values;
}

Setting setting_with(Quantity quantity, double value) {
  Setting s;
  switch (quantity) {
    case Quantity::smoothness: s.L = value; break;
    case Quantity::convexity: s.mu = value; break;
    case Quantity::dissimilarity: s.delta = value; break;
    case Quantity::clients: s.clients = static_cast<std::size_t>(value); break;
    case Quantity::accuracy: s.part = std::pow(10.0, -value); break;
  }
  return s;
}

Problem problem_of(const Setting& s, ThreadPool& pool) {
  return make_problem(
      quadratic_setup({.clients = s.clients, .samples = 4, .dim = 40, .L = s.L, .mu = s.mu, .delta = s.delta}), pool);
}

// What is counted before the gap has fallen to this part belongs to the fast directions, not to the rate.
constexpr double warm_up = 1e-5;

// Rounds that bring the gap from the warm-up down by ε more, or local steps per round on the way there.
double measure(const RateClaim& claim, const Setting& s, const RateStudyOptions& options, ThreadPool& pool) {
  const Problem problem = problem_of(s, pool);
  const MethodEntry& entry = find_method(claim.method);
  const Settings settings = theory_settings(entry, *problem.constants);
  const auto spent_until = [&](double part, std::size_t seed) {
    StopConditions stop = target_at(problem, part, pool);
    stop.rounds = 1000000;
    return try_method(problem, entry, settings, {.stop = stop, .seed = seed, .stop_token = options.stop_token}, pool)
        .last();
  };
  double sum = 0.0;
  for (std::size_t seed = 1; seed <= options.seeds; ++seed) {
    const TraceRow begin = spent_until(warm_up, seed);
    const TraceRow end = spent_until(warm_up * s.part, seed);
    const double rounds = static_cast<double>(end.round - begin.round);
    const double steps = static_cast<double>(end.local_steps - begin.local_steps);
    sum += claim.measured == Measured::rounds ? rounds : steps / rounds;
  }
  return sum / static_cast<double>(options.seeds);
}

}  // namespace

std::vector<RateClaim> strongly_convex_claims() {
  std::vector<std::pair<const MethodEntry*, const ClaimedRate*>> rows;
  for (const MethodEntry& entry : method_catalog())
    for (const ClaimedRate& rate : entry.rate.claims) rows.emplace_back(&entry, &rate);
  std::ranges::stable_sort(rows, {}, [](const auto& row) { return row.second->row; });
  std::vector<RateClaim> claims;
  for (const auto& [entry, rate] : rows)
    for (const auto& [quantity, exponent] : rate->exponents)
      claims.push_back({entry->name, rate->rate, rate->measured, quantity, exponent, rate->upper_bound});
  return claims;
}

double fitted_exponent(const std::vector<RatePoint>& points) {
  DRIFTLESS_ASSERT(points.size() >= 2, "an exponent needs two points");
  double mean_x = 0.0;
  double mean_y = 0.0;
  const double n = static_cast<double>(points.size());
  for (const RatePoint& p : points) {
    mean_x += std::log(p.value) / n;
    mean_y += std::log(p.measured) / n;
  }
  double xy = 0.0;
  double xx = 0.0;
  for (const RatePoint& p : points) {
    const double x = std::log(p.value) - mean_x;
    xy += x * (std::log(p.measured) - mean_y);
    xx += x * x;
  }
  return xy / xx;
}

bool RateFit::agrees() const {
  constexpr double tolerance = 0.2;
  if (std::abs(exponent - claim.exponent) <= tolerance) return true;
  return claim.upper_bound && std::abs(exponent) < std::abs(claim.exponent);
}

std::vector<RateFit> rate_study(const std::vector<RateClaim>& claims, const RateStudyOptions& options) {
  ThreadPool pool(1);  // the problems are small
  std::vector<RateFit> fits;
  for (const RateClaim& claim : claims) {
    RateFit fit{.claim = claim, .points = {}, .exponent = 0.0};
    for (const double value : values_of_quantities().at(claim.quantity)) {
      fit.points.push_back({value, measure(claim, setting_with(claim.quantity, value), options, pool)});
      if (options.stop_token.stop_requested()) return fits;
    }
    fit.exponent = fitted_exponent(fit.points);
    if (options.on_fit) options.on_fit(fit);
    fits.push_back(std::move(fit));
  }
  return fits;
}

std::string rate_table(const std::vector<RateFit>& fits) {
  std::string text = "| method | claimed | of | varied | exponent claimed | exponent found | measured |\n"
                     "|---|---|---|---|---:|---:|---|\n";
  for (const RateFit& fit : fits) {
    std::string points;
    for (const RatePoint& p : fit.points)
      points += fmt::format("{}{:g}: {:.4g}", points.empty() ? "" : ", ", p.value, p.measured);
    text += fmt::format("| {} | {} | {} | {} | {}{:g} | {:.2f}{} | {} |\n", fit.claim.method, fit.claim.rate,
                        enum_name(fit.claim.measured), enum_name(fit.claim.quantity),
                        fit.claim.upper_bound ? "at most " : "", fit.claim.exponent, fit.exponent,
                        fit.agrees() ? "" : " (!)", points);
  }
  return text;
}

std::string rate_json(const std::vector<RateFit>& fits) {
  auto lines = nlohmann::ordered_json::array();
  for (const RateFit& fit : fits) {
    auto points = nlohmann::ordered_json::array();
    for (const RatePoint& p : fit.points) points.push_back({{"value", p.value}, {"measured", p.measured}});
    lines.push_back({{"method", fit.claim.method},
                     {"rate", fit.claim.rate},
                     {"of", enum_name(fit.claim.measured)},
                     {"varied", enum_name(fit.claim.quantity)},
                     {"exponent_claimed", fit.claim.exponent},
                     {"upper_bound", fit.claim.upper_bound},
                     {"exponent_found", fit.exponent},
                     {"agrees", fit.agrees()},
                     {"points", std::move(points)}});
  }
  return nlohmann::ordered_json{{"schema_version", 1}, {"fits", std::move(lines)}}.dump(2) + "\n";
}

}  // namespace driftless
