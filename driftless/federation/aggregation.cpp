#include "driftless/federation/aggregation.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

// The entries of one coordinate, ascending.
void sort_column(const RowSpans& rows, std::size_t entry, std::vector<double>& column) {
  column.clear();
  for (const std::span<const double> row : rows)
    column.push_back(std::isnan(row[entry]) ? std::numeric_limits<double>::infinity() : row[entry]);
  std::ranges::sort(column);
}

double middle_of(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  if (sorted.size() % 2 == 1 || sorted[half - 1] == sorted[half]) return sorted[half];
  return 0.5 * sorted[half - 1] + 0.5 * sorted[half];
}

// The sum of squares of entries far from 1 would overflow or vanish, so they are scaled by a power of two.
double distance(std::span<const double> row, VecIn point) {
  double largest = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k)
    largest = std::max(largest, std::abs(row[k] - point[static_cast<Index>(k)]));
  if (largest == 0.0 || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  double sum = 0.0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double scaled = std::scalbn(row[k] - point[static_cast<Index>(k)], -exponent);
    sum += scaled * scaled;
  }
  return std::scalbn(std::sqrt(sum), exponent);
}

RowSpans finite_rows_in_order(const RowSpans& rows) {
  RowSpans kept;
  for (const std::span<const double> row : rows)
    if (std::ranges::all_of(row, [](double entry) { return std::isfinite(entry); })) kept.push_back(row);
  std::ranges::sort(kept, [](auto a, auto b) { return std::ranges::lexicographical_compare(a, b); });
  return kept;
}

// One iteration of Weiszfeld: the mean of the rows weighted by the inverse of their distances. At a row, which has no
// such weight, the pull R of the others must exceed the number of rows there, and the step is shorter by that share.
class Weiszfeld {
 public:
  explicit Weiszfeld(const RowSpans& rows) : rows_(rows), distances_(rows.size()) {}

  // Returns how far the point moved, in units of the median distance.
  double step(Vector& point) {
    for (std::size_t i = 0; i < rows_.size(); ++i) distances_[i] = distance(rows_[i], point);
    const double unit = median_distance();
    if (unit == 0.0) return 0.0;
    const Vector pull = weighted_offset(point, unit);
    const double moved = shortened(pull.size() == 0 ? 0.0 : norm_of(pull));
    point += moved * (unit / weight_) * pull;
    return moved * norm_of(pull) / weight_;
  }

 private:
  static double norm_of(const Vector& v) {
    const Vector zero = Vector::Zero(v.size());
    return distance({v.data(), static_cast<std::size_t>(v.size())}, zero);
  }

  // Of the rows that are not at the point.
  double median_distance() {
    std::vector<double> sorted;
    for (const double d : distances_)
      if (d > 0.0) sorted.push_back(d);
    std::ranges::sort(sorted);
    return sorted.empty() ? 0.0 : sorted[sorted.size() / 2];
  }

  // Σ (x_i − y)/‖x_i − y‖ over the rows that are not at y, and the sum of unit/‖x_i − y‖.
  Vector weighted_offset(const Vector& point, double unit) {
    Vector pull = Vector::Zero(point.size());
    weight_ = 0.0;
    here_ = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (distances_[i] == 0.0) {
        here_ += 1.0;
        continue;
      }
      if (!std::isfinite(distances_[i])) continue;  // so far away that its direction cannot be computed
      weight_ += unit / distances_[i];
      for (Index k = 0; k < point.size(); ++k)
        pull[k] += (rows_[i][static_cast<std::size_t>(k)] - point[k]) / distances_[i];
    }
    return pull;
  }
  double shortened(double pull) const { return pull > here_ ? 1.0 - here_ / pull : 0.0; }

  const RowSpans& rows_;
  std::vector<double> distances_;
  double weight_ = 0.0;
  double here_ = 0.0;  // rows at the point
};

}  // namespace

void coordinate_median(const RowSpans& rows, VecOut result) {
  std::vector<double> column;
  for (Index k = 0; k < result.size(); ++k) {
    sort_column(rows, static_cast<std::size_t>(k), column);
    result[k] = middle_of(column);
  }
}

void trimmed_mean(const RowSpans& rows, double trim, VecOut result) {
  constexpr double rounding = 1e-9;  // of trim·n, which may be a whole number
  const auto wanted = static_cast<std::size_t>(std::ceil(trim * static_cast<double>(rows.size()) - rounding));
  const std::size_t cut = std::min(wanted, (rows.size() - 1) / 2);
  const std::size_t left = rows.size() - 2 * cut;
  std::vector<double> column;
  for (Index k = 0; k < result.size(); ++k) {
    sort_column(rows, static_cast<std::size_t>(k), column);
    double sum = 0.0;
    for (std::size_t i = cut; i < cut + left; ++i) sum += column[i];
    result[k] = sum / static_cast<double>(left);
  }
}

void geometric_median(const RowSpans& rows, VecOut result) {
  constexpr int most_steps = 1000;
  constexpr double still = 1e-12;
  const RowSpans kept = finite_rows_in_order(rows);
  if (kept.empty()) {
    result.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  Vector point(result.size());
  coordinate_median(kept, point);
  Weiszfeld iteration(kept);
  for (int step = 0; step < most_steps && iteration.step(point) > still; ++step) {}
  result = point;
}

void aggregate(const AggregationRule& rule, const RowSpans& rows, VecOut result) {
  DRIFTLESS_ASSERT(!rows.empty() && !rule.is_mean(), "rows without a rule, or a rule without rows");
  switch (rule.kind) {
    case Aggregation::trimmed_mean: return trimmed_mean(rows, rule.trim, result);
    case Aggregation::geometric_median: return geometric_median(rows, result);
    default: return coordinate_median(rows, result);
  }
}

}  // namespace driftless
