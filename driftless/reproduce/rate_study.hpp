// Rounds against the constants of the problem: each of L, μ, δ, n and ε varies alone, and the exponent of a power law
// is fitted to what was measured, beside the exponent that a table of rates claims.
#pragma once

#include "driftless/experiments/method_trial.hpp"
#include "driftless/methods/rate.hpp"
#include "driftless/optimize/stop.hpp"

#include <functional>
#include <string>
#include <vector>

namespace driftless {

// What a table of rates says: rounds (or local steps per round) grow like the quantity to this power.
struct RateClaim {
  std::string method;
  std::string rate;  // as printed
  Measured measured = Measured::rounds;
  Quantity quantity = Quantity::smoothness;
  double exponent = 0.0;
  bool upper_bound = false;  // a smaller exponent is as good
};

// The claims of the catalogue in the order of the table they are from: the strongly convex column of the table of rates
// in Jiang, Rodomanov, Stich, ICML 2024.
std::vector<RateClaim> strongly_convex_claims();

struct RatePoint {
  double value = 0.0;     // of the quantity
  double measured = 0.0;  // mean over seeds
};

struct RateFit {
  RateClaim claim;
  std::vector<RatePoint> points;
  double exponent = 0.0;  // fitted

  bool agrees() const;
};

struct RateStudyOptions {
  std::size_t seeds = 3;  // of methods that draw coins
  StopToken stop_token = {};
  std::function<void(const RateFit&)> on_fit = {};
};

// Every claim on quadratics with exactly the constants asked for, with the parameters of the theory; ends early if
// interrupted.
std::vector<RateFit> rate_study(const std::vector<RateClaim>& claims, const RateStudyOptions& options);

// Least squares of log(measured) against log(value).
double fitted_exponent(const std::vector<RatePoint>& points);

std::string rate_table(const std::vector<RateFit>& fits);  // markdown
std::string rate_json(const std::vector<RateFit>& fits);

}  // namespace driftless
