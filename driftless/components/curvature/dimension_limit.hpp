// Methods that send d×d matrices state up to which d they do so: one row of 3000 variables takes 36 megabytes, and a
// peer holds several.
#pragma once

#include "driftless/core/error.hpp"
#include "driftless/core/options.hpp"
#include "driftless/federation/federation.hpp"

namespace driftless {

struct DimensionLimit {
  std::size_t max_dim = 3000;

  static Fields fields() {
    return {field("max_dim", &DimensionLimit::max_dim, at_least_one,
                  "most variables for which d×d matrices are sent; more are an error")};
  }
  void require(const Federation& fed) const {
    if (fed.dim() <= static_cast<Index>(max_dim)) return;
    throw ConfigError({.what = "the matrices of this method are too large: d(d + 1)/2 numbers for each client",
                       .seen = "d = " + std::to_string(fed.dim()) + ", max_dim = " + std::to_string(max_dim),
                       .advice = "choose a method that sends vectors, such as newton-cg, or give a larger max_dim"});
  }
};

}  // namespace driftless
