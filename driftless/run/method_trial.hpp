// One method with given settings on a problem that is there already, until a part of the first gap is left.
#pragma once

#include "driftless/methods/catalog.hpp"
#include "driftless/run/driver.hpp"
#include "driftless/run/problem.hpp"

#include <functional>

namespace driftless {

struct MethodTrialOptions {
  double part = 1e-8;     // of the first gap: the aim
  StopConditions budget;  // what may be spent on the way
  std::size_t seed = 1;
  bool progress = false;
  std::function<bool()> interrupted = {};
};

struct MethodTrial {
  StopReason reason = StopReason::none;
  TraceRow last;
  double part = 1.0;  // of the first gap that is left

  bool reached() const { return reason == StopReason::gap; }
};

// The problem must know its optimum.
MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool);

}  // namespace driftless
