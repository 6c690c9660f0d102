#include "driftless/data/synthetic.hpp"

#include "driftless/core/random.hpp"
#include "driftless/data/rows_digest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

namespace driftless {
namespace {

// Columns drawn one after the other without replacement, in proportion to their weights. The weights are the leaves of
// a tree of sums, so a draw takes log(dim) steps; putting a column back restores every sum to the bit.
class WeightedColumns {
 public:
  explicit WeightedColumns(const std::vector<double>& weights)
      : leaves_(std::bit_ceil(weights.size())), sum_(2 * leaves_, 0.0), weights_(weights) {
    std::copy(weights.begin(), weights.end(), sum_.begin() + static_cast<std::ptrdiff_t>(leaves_));
    for (std::size_t node = leaves_ - 1; node > 0; --node) sum_[node] = sum_[2 * node] + sum_[2 * node + 1];
  }

  std::vector<std::int32_t> draw(std::size_t count, Stream& chance) {
    std::vector<std::int32_t> columns;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t column = draw_one(chance.uniform() * sum_[1]);
      set(column, 0.0);
      columns.push_back(static_cast<std::int32_t>(column));
    }
    for (const std::int32_t column : columns) put_back(static_cast<std::size_t>(column));
    std::ranges::sort(columns);
    return columns;
  }

 private:
  std::size_t draw_one(double at) const {
    std::size_t node = 1;
    while (node < leaves_) {
      const double left = sum_[2 * node];
      // Rounding must not lead into a branch that is used up.
      const bool go_left = left > 0.0 && (at < left || sum_[2 * node + 1] == 0.0);
      if (!go_left) at -= left;
      node = 2 * node + (go_left ? 0 : 1);
    }
    return node - leaves_;
  }

  void put_back(std::size_t column) { set(column, weights_[column]); }

  void set(std::size_t column, double weight) {
    std::size_t node = leaves_ + column;
    sum_[node] = weight;
    for (node /= 2; node > 0; node /= 2) sum_[node] = sum_[2 * node] + sum_[2 * node + 1];
  }

  std::size_t leaves_;
  std::vector<double> sum_;  // node 1 is the root, leaves_ + j the leaf of column j
  std::vector<double> weights_;
};

void check(const SparseClassificationSpec& spec) {
  checked(spec);
  if (spec.nonzeros_per_row > static_cast<double>(spec.dim))
    throw ConfigError(
        {.what = "a row cannot have more entries than there are columns",
         .seen = "nonzeros_per_row = " + number(spec.nonzeros_per_row) + ", dim = " + std::to_string(spec.dim),
         .advice = "lower nonzeros_per_row or raise dim"});
}

// Group g has its popular columns g/groups of the way round; skew blends that with what all groups share.
WeightedColumns columns_of_group(const SparseClassificationSpec& spec, std::size_t group) {
  const std::size_t shift = spec.dim * group / spec.groups;
  const auto popularity = [&](std::size_t rank) { return std::pow(static_cast<double>(rank + 1), -spec.popularity); };
  std::vector<double> weights(spec.dim);
  for (std::size_t j = 0; j < spec.dim; ++j)
    weights[j] = (1.0 - spec.skew) * popularity(j) + spec.skew * popularity((j + spec.dim - shift) % spec.dim);
  return WeightedColumns(weights);
}

// The mean is nonzeros_per_row exactly: an even spread about it, rounded up or down at random.
std::size_t draw_row_size(const SparseClassificationSpec& spec, Stream& chance) {
  const double mean = spec.nonzeros_per_row;
  const double spread = std::min({mean / 2.0, mean - 1.0, static_cast<double>(spec.dim) - mean});
  const double size = mean + chance.uniform(-1.0, 1.0) * spread;
  return std::min(static_cast<std::size_t>(size + chance.uniform()), spec.dim);
}

double draw_value(const SparseClassificationSpec& spec, Stream& chance) {
  if (spec.values == FeatureValues::ones) return spec.scale;
  double value = 0.0;
  while (value == 0.0) value = spec.scale * chance.normal();
  return value;
}

void draw_rows(const SparseClassificationSpec& spec, Stream& chance, Dataset& data) {
  std::size_t row = 0;
  for (std::size_t group = 0; group < spec.groups; ++group) {
    const std::size_t end = spec.rows * (group + 1) / spec.groups;
    if (row == end) continue;
    WeightedColumns columns = columns_of_group(spec, group);
    for (; row < end; ++row) {
      for (const std::int32_t column : columns.draw(draw_row_size(spec, chance), chance)) {
        data.column.push_back(column);
        data.value.push_back(draw_value(spec, chance));
      }
      data.row_start.push_back(static_cast<std::int64_t>(data.column.size()));
    }
  }
}

// ⟨w, a_r⟩ less its mean over the rows, with w scaled for the asked deviation; centred so that both classes are common.
std::vector<double> draw_margins(const SparseClassificationSpec& spec, Stream& chance, const Dataset& data) {
  std::vector<double> weight(spec.dim);
  for (double& w : weight) w = chance.normal();
  std::vector<double> margin(spec.rows, 0.0);
  for (std::size_t row = 0; row < spec.rows; ++row) {
    const auto end = static_cast<std::size_t>(data.row_start[row + 1]);
    for (auto at = static_cast<std::size_t>(data.row_start[row]); at < end; ++at)
      margin[row] += weight[static_cast<std::size_t>(data.column[at])] * (data.value[at] / spec.scale);
  }
  const double count = static_cast<double>(spec.rows);
  const double mean = std::accumulate(margin.begin(), margin.end(), 0.0) / count;
  double square = 0.0;
  for (double& m : margin) {
    m -= mean;
    square += m * m;
  }
  const double deviation = std::sqrt(square / count);
  for (double& m : margin) m = deviation > 0.0 ? m * (spec.signal / deviation) : 0.0;
  return margin;
}

void draw_labels(const SparseClassificationSpec& spec, Stream& chance, Dataset& data) {
  for (const double margin : draw_margins(spec, chance, data)) {
    const bool positive = chance.bernoulli(1.0 / (1.0 + std::exp(-margin)));
    const bool turned = chance.bernoulli(spec.label_noise);
    data.label.push_back(positive != turned ? 1.0 : -1.0);
  }
  const std::set<double> distinct(data.label.begin(), data.label.end());
  data.label_values.assign(distinct.begin(), distinct.end());
}

}  // namespace

Dataset generate_classification(const SparseClassificationSpec& spec, std::uint64_t seed) {
  check(spec);
  Dataset data;
  data.name = "classification, seed " + std::to_string(seed);
  data.dim = static_cast<Index>(spec.dim);
  data.row_start.push_back(0);
  // Rows and labels have streams of their own: another signal or noise leaves the rows as they are.
  Stream row_chance(seed, Purpose::generator, 0);
  Stream label_chance(seed, Purpose::generator, 1);
  draw_rows(spec, row_chance, data);
  draw_labels(spec, label_chance, data);
  data.digest = digest_of_rows(data);
  return data;
}

}  // namespace driftless
