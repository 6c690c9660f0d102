// Exchanges against the constants of the problem: one quantity varies at a time, and the exponent of a power law is
// fitted to what was measured, beside the exponent that Table 1 claims.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/reproduce/rate_claims.hpp"

namespace driftless {

struct RatePoint {
  double value = 0.0;            // of the quantity
  std::vector<double> measured;  // by seed; one where the method tosses no coins

  double mean() const;
};

enum class RateVerdict { agrees, differs, undecided };
template <>
struct EnumNames<RateVerdict> {
  static constexpr std::array<std::string_view, 3> value{"agrees", "differs", "undecided"};
};

struct RateFit {
  // How far the exponent found may be from the one claimed. Twice its standard error must not be more either, or the
  // verdict could not fail.
  static constexpr double tolerance = 0.1;

  RateClaim claim;
  std::vector<RatePoint> points;
  double exponent = 0.0;  // fitted to the means; not a number where a run did not come to its end
  double error = 0.0;     // its standard error, from the spread of the seeds

  RateVerdict verdict() const;
};
// Fills in the exponent and its error.
RateFit fitted(RateClaim claim, std::vector<RatePoint> points);

struct RateStudyOptions {
  std::size_t seeds = 20;  // of methods that toss coins
  StopToken stop_token = {};
  std::function<void(const RateFit&)> on_fit = {};
};

// Every claim on the problems of its column, with the parameters of the theory; ends early if interrupted.
std::vector<RateFit> rate_study(const std::vector<RateClaim>& claims, const RateStudyOptions& options);

// Least squares of log(measured) against log(value).
double fitted_exponent(const std::vector<std::pair<double, double>>& points);

std::string rate_table(const std::vector<RateFit>& fits);  // markdown, a table for each column
std::string rate_json(const std::vector<RateFit>& fits);
// Exchanges of the methods that depend on δ_A or δ_B alone, against each of the two; "" where nothing was fitted.
std::string rate_figure(const std::vector<RateFit>& fits);

}  // namespace driftless
