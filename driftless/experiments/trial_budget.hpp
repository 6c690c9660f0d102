// The table [inspect]: what the trials behind the advice of `driftless inspect` may spend.
#pragma once

#include "driftless/core/options.hpp"

namespace driftless {

struct TrialBudget {
  bool trials = true;
  std::size_t exchanges = 200;
  std::size_t grad_evals = 20000;
  double seconds = 20.0;
  bool over_network = false;

  static Fields fields() {
    using S = TrialBudget;
    return {
        field("trials", &S::trials, anything, "whether the leading methods are tried on the problem"),
        field("exchanges", &S::exchanges, at_least_one, "most exchanges of a trial"),
        field("grad_evals", &S::grad_evals, at_least_one, "most gradient evaluations of the busiest client, per trial"),
        field("seconds", &S::seconds, nonnegative, "most seconds of all trials together"),
        field("over_network", &S::over_network, anything,
              "set by 'serve --inspect': sites measure and try methods instead of running those configured")};
  }
};

}  // namespace driftless
