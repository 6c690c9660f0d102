// How well scores rank positive rows above negative ones, from counts in fixed bins of the score. Counts of several
// sites add up; what is lost is the order within a bin, and the error that this can make is stated.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace driftless {

inline constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

// A value with a bound of its error; neither is a number where the value is not defined.
struct BoundedValue {
  double value = unknown_value;
  double error = unknown_value;
};

// Rows with a score of at least `threshold` count as positive.
struct RocPoint {
  double false_positives = 0.0;  // as a part of the negative rows
  double true_positives = 0.0;   // as a part of the positive rows
  double threshold = 0.0;
};

struct Ranking {
  BoundedValue auc;
  BoundedValue average_precision;  // the mean of the precisions at all positive rows
  std::vector<RocPoint> roc;       // from (0, 0) to (1, 1), at most 200 points
};

// Bins are narrow near 0 and wide far away: their edges are equally spaced in s/(8 + |s|). A higher score never has a
// lower bin.
std::size_t score_bin(double score, std::size_t bins);
double lower_edge(std::size_t bin, std::size_t bins);

// From the weights of the rows in each bin. `single`: every row has weight 1, so that bins without both classes are
// exact; otherwise the average precision has an error within these as well.
Ranking ranking_of(std::span<const double> negative, std::span<const double> positive, bool single);

}  // namespace driftless
