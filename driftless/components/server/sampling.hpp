// Partial participation: how many clients a round samples, uniformly and without replacement.
#pragma once

#include "driftless/core/options.hpp"

#include <algorithm>

namespace driftless {

struct SamplingOptions {
  std::size_t cohort = 0;

  static Fields fields() {
    return {field("cohort", &SamplingOptions::cohort, nonnegative, "clients sampled per round; 0 = all")};
  }
  std::size_t size(std::size_t clients) const { return cohort == 0 ? clients : std::min(cohort, clients); }
};

}  // namespace driftless
