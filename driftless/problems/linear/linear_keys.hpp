// The keys of [problem] for linear models.
#pragma once

#include "driftless/core/options.hpp"
#include "driftless/data/synthetic.hpp"
#include "driftless/objectives/linear/linear_client.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <variant>

namespace driftless {

// The weight of ½‖x‖²; unset: 1/M, M rows in all.
struct L2Weight {
  std::optional<double> value;
};
template <>
struct OptionType<L2Weight> {
  static std::string allowed() { return "a number >= 0, or \"1/M\""; }
  static bool read(const OptionValue& value, L2Weight& out) {
    double weight = 0.0;
    if (OptionType<double>::read(value, weight)) {
      out.value = weight;
      return weight >= 0.0;
    }
    return value == OptionValue(std::string("1/M"));
  }
  static std::string write(const L2Weight& v) { return v.value ? number(*v.value) : "\"1/M\""; }
};

struct LinearKeys {
  std::string data;
  L2Weight l2;
  std::optional<double> beta;
  bool intercept = false;
  Storage storage = Storage::automatic;
  EntryPrecision precision = EntryPrecision::float64;

  static Fields fields() {
    using S = LinearKeys;
    return {field("data", &S::data, anything,
                  "a path, the name of known data, \"generated\", or \"sites\": each brings its own"),
            field("l2", &S::l2, anything, "weight of ½‖x‖²"),
            field("beta", &S::beta, nonnegative,
                  "β, weight of the bounded non-convex term Σ x_k²/(1 + x_k²); 0 if not given"),
            field("intercept", &S::intercept, anything, "a column of ones, regularised like the rest"),
            field("storage", &S::storage, anything, "how rows are stored; auto takes the fastest"),
            field("precision", &S::precision, anything, "of the stored entries of rows; all arithmetic is float64")};
  }
};

// How files are read.
struct FileKeys {
  std::optional<std::size_t> dim;
  std::optional<double> positive_label;
  bool cache = false;

  static Fields fields() {
    using S = FileKeys;
    return {field("dim", &S::dim, Range{.low = 1.0, .high = 2147483646.0},
                  "number of columns; the largest index if not given"),
            field("positive_label", &S::positive_label, finite, "this label becomes +1, every other one -1"),
            field("cache", &S::cache, anything, "whether rows of packed files are cached for later runs")};
  }
};

using LinearSource = std::variant<FileKeys, SparseClassificationSpec>;  // rows from files, or generated from a seed

}  // namespace driftless
