#include "driftless/glm/score_histogram.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

constexpr double spread = 8.0;  // half of all bins are for scores between −8 and 8

BoundedValue area_under_curve(std::span<const double> negative, std::span<const double> positive) {
  double below = 0.0, above = 0.0, ordered = 0.0, tied = 0.0;
  for (std::size_t bin = 0; bin < negative.size(); ++bin) {
    ordered += positive[bin] * below;
    tied += positive[bin] * negative[bin];
    below += negative[bin];
    above += positive[bin];
  }
  const double pairs = below * above;
  return {(ordered + 0.5 * tied) / pairs, 0.5 * tied / pairs};
}

struct Interval {
  double low;
  double high;
};

// The sum of the precisions at `count` positive rows that follow T positive and F negative ones.
Interval precision_sum(double T, double F, double count, bool single) {
  if (count == 0.0) return {0.0, 0.0};
  if (!single) {
    // One row with all the weight has the highest sum, infinitely many rows have the lowest.
    const double lowest = T + F == 0.0 ? count : count - F * std::log1p(count / (T + F));
    return {lowest, count * (T + count) / (T + F + count)};
  }
  double harmonic = 0.0;
  for (double i = 1.0; i <= count; i += 1.0) harmonic += 1.0 / (T + F + i);
  return {count - F * harmonic, count - F * harmonic};
}

BoundedValue average_precision(std::span<const double> negative, std::span<const double> positive, bool single) {
  double T = 0.0, F = 0.0, low = 0.0, high = 0.0;
  for (std::size_t bin = negative.size(); bin-- > 0;) {
    const Interval last = precision_sum(T, F + negative[bin], positive[bin], single);
    const Interval first = negative[bin] == 0.0 ? last : precision_sum(T, F, positive[bin], single);
    low += last.low;
    high += first.high;
    T += positive[bin];
    F += negative[bin];
  }
  return {0.5 * (low + high) / T, 0.5 * (high - low) / T};
}

std::vector<RocPoint> roc_points(std::span<const double> negative, std::span<const double> positive, double N,
                                 double P) {
  constexpr double step = 2.0 / 198.0;  // of the sum of both rates, which grows from 0 to 2
  std::vector<RocPoint> points{{0.0, 0.0, std::numeric_limits<double>::infinity()}};
  double F = 0.0, T = 0.0;
  for (std::size_t bin = negative.size(); bin-- > 0;) {
    if (negative[bin] == 0.0 && positive[bin] == 0.0) continue;
    F += negative[bin];
    T += positive[bin];
    const RocPoint point{F / N, T / P, lower_edge(bin, negative.size())};
    const double grown =
        point.false_positives + point.true_positives - points.back().false_positives - points.back().true_positives;
    if (grown >= step) points.push_back(point);
  }
  if (points.back().false_positives == 1.0 && points.back().true_positives == 1.0) return points;
  points.push_back({1.0, 1.0, -std::numeric_limits<double>::infinity()});
  return points;
}

}  // namespace

std::size_t score_bin(double score, std::size_t bins) {
  // Every operation is monotone after rounding, which score/(8 + |score|) would not be.
  const double half = 0.5 * (1.0 - spread / (spread + std::abs(score)));
  const double position = (score < 0.0 ? 0.5 - half : 0.5 + half) * static_cast<double>(bins);
  return std::min(static_cast<std::size_t>(position), bins - 1);
}

double lower_edge(std::size_t bin, std::size_t bins) {
  const double u = 2.0 * static_cast<double>(bin) / static_cast<double>(bins) - 1.0;
  return spread * u / (1.0 - std::abs(u));
}

Ranking ranking_of(std::span<const double> negatives, std::span<const double> positives, bool single) {
  DRIFTLESS_ASSERT(negatives.size() == positives.size(), "both classes must have the same bins");
  const double N = std::accumulate(negatives.begin(), negatives.end(), 0.0);
  const double P = std::accumulate(positives.begin(), positives.end(), 0.0);
  if (N == 0.0 || P == 0.0) return {};
  return {area_under_curve(negatives, positives), average_precision(negatives, positives, single),
          roc_points(negatives, positives, N, P)};
}

}  // namespace driftless
