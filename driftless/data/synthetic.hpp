// Sparse data of two classes, made from a seed: columns of unequal popularity as in text and web data, labels drawn
// from the logistic model of hidden weights, so that a regression has something to learn and cannot fit everything.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/data/dataset.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace driftless {

enum class FeatureValues { ones, normal };

template <>
struct EnumNames<FeatureValues> {
  static constexpr std::array<std::string_view, 2> value{"ones", "normal"};
};

struct SparseClassificationSpec {
  std::size_t rows = 1000;
  std::size_t dim = 100;
  double nonzeros_per_row = 10.0;
  FeatureValues values = FeatureValues::ones;
  double scale = 1.0;
  double popularity = 1.0;
  double signal = 2.0;
  double label_noise = 0.02;
  double skew = 0.0;
  std::size_t groups = 10;

  static Fields fields() {
    using S = SparseClassificationSpec;
    constexpr Range count{.low = 1.0, .high = 2147483646.0};
    constexpr Range fraction{.low = 0.0, .high = 1.0};
    return {
        field("rows", &S::rows, count, "number of rows"),
        field("dim", &S::dim, count, "number of columns"),
        field("nonzeros_per_row", &S::nonzeros_per_row, count, "mean number of entries of a row; at most dim"),
        field("values", &S::values, anything, "entries are all ones, or normal"),
        field("scale", &S::scale, Range{.low = 1e-100, .high = 1e100}, "every entry is multiplied by this"),
        field("popularity", &S::popularity, Range{.low = 0.0, .high = 4.0},
              "column j occurs in proportion to j to the power of minus this; 0 makes all columns alike"),
        field("signal", &S::signal, Range{.low = 0.0, .high = 1e6},
              "standard deviation of the margin of the hidden model; 0 makes the labels pure chance"),
        field("label_noise", &S::label_noise, Range{.low = 0.0, .high = 0.5}, "probability that a label is turned"),
        field("skew", &S::skew, fraction,
              "how much the groups of neighbouring rows differ in their popular columns; 0 not at all, 1 fully"),
        field("groups", &S::groups, count, "number of such groups, one after the other"),
    };
  }
};

// ConfigError if a value is out of its range or the mean number of entries exceeds dim.
Dataset generate_classification(const SparseClassificationSpec& spec, std::uint64_t seed);

}  // namespace driftless
