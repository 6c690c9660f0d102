// Functions that only the sites know: the configuration says how many variables they have.
#pragma once

#include "driftless/problems/problem_kind.hpp"

namespace driftless {

struct OwnKeys {
  std::optional<std::size_t> dim;

  static Fields fields() {
    using S = OwnKeys;
    return {field("dim", &S::dim, Range{.low = 1.0, .high = 134217728.0}, "d, number of variables; required")};
  }
};

ProblemKind own_kind();

}  // namespace driftless
