// What a server may take of n rows in place of their mean, so that a few sites that send anything cannot move it far:
//
//   median            of each entry; of an even number the mean of the two in the middle
//   trimmed mean      of each entry, without the k largest and k smallest, k = ⌈trim n⌉
//                     (Yin, Chen, Ramchandran, Bartlett, "Byzantine-robust distributed learning", ICML 2018)
//   geometric median  the point with the least sum of distances to the rows
//                     (Pillutla, Kakade, Harchaoui, "Robust aggregation for federated learning", 2019)
//
// Each is a function of the set of rows: their order does not change a bit. An entry that is no number counts as
// +infinity in the first two; the geometric median leaves out a row with an entry that is not finite. Sums are loops,
// so that processors with other vector lengths have the same bits.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/core/vector.hpp"

#include <span>
#include <vector>

namespace driftless {

enum class Aggregation { mean, median, trimmed_mean, geometric_median };
template <>
struct EnumNames<Aggregation> {
  static constexpr std::array<std::string_view, 4> value{"mean", "median", "trimmed-mean", "geometric-median"};
};

struct AggregationRule {
  Aggregation kind = Aggregation::mean;
  double trim = 0.1;  // the share of rows that a trimmed mean leaves out on either side, below 1/2

  bool is_mean() const { return kind == Aggregation::mean; }
};

using RowSpans = std::vector<std::span<const double>>;  // at least one row, all of one length

void coordinate_median(const RowSpans& rows, VecOut result);
// Where 2k ≥ n, nothing would be left: then k is the largest for which something is.
void trimmed_mean(const RowSpans& rows, double trim, VecOut result);
// By Weiszfeld's iteration from the coordinate-wise median, with the step of Vardi and Zhang (PNAS 2000) at a row,
// until it moves by less than 1e-12 of the median distance to the rows, or for 1000 steps. NaN where no row is finite.
void geometric_median(const RowSpans& rows, VecOut result);

// By the rule, which is not the mean.
void aggregate(const AggregationRule& rule, const RowSpans& rows, VecOut result);

}  // namespace driftless
