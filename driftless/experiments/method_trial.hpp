// One method with given settings on a problem that is there already, until an aim is reached or a budget is spent.
#pragma once

#include "driftless/methods/catalog.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/problems/problem.hpp"

#include <functional>

namespace driftless {

struct MethodTrialOptions {
  StopConditions stop;  // the aim and the budget
  std::size_t seed = 1;
  std::size_t every = 1;  // measure every k-th round
  bool progress = false;
  StopToken stop_token = {};
  const ClientObjectives* copies = nullptr;  // of the clients, where others use those of the problem meanwhile
};

struct MethodTrial {
  StopReason reason = StopReason::none;
  std::vector<TraceRow> rows;

  const TraceRow& last() const { return rows.back(); }
  bool reached() const { return reason == StopReason::gap; }
  double gap_left() const;  // as a part of the first; 1 where no optimum is known
};

// This part of the first gap, or of the first gradient norm where no optimum is known.
StopConditions aim_at(const Problem& problem, double part, ThreadPool& pool);

// Divergence is a result.
MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool);

}  // namespace driftless
