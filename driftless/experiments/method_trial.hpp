// One method with given settings on an existing problem, until a target is reached or a budget is spent.
#pragma once

#include "driftless/methods/catalog.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/problems/problem.hpp"

#include <functional>

namespace driftless {

struct MethodTrialOptions {
  StopConditions stop;  // the target and the budget
  std::size_t seed = 1;
  std::size_t every = 1;  // measure every k-th round
  bool tested = false;    // with the test set of the problem
  bool progress = false;
  StopToken stop_token = {};
  const ClientObjectives* copies = nullptr;  // of the clients, where other threads use those of the problem
  Transport* transport = nullptr;            // to the other peers; null: this process hosts every client
};

struct MethodTrial {
  StopReason reason = StopReason::none;
  std::vector<TraceRow> rows;
  std::optional<MethodDecision> decision = {};  // of a method that chooses its own ways

  const TraceRow& last() const { return rows.back(); }
  bool reached() const { return reason == StopReason::gap; }
  double gap_left() const;  // as a fraction of the first; of the gradient norm where no optimum is known
};

// The target: this fraction of the first gap, or of the first gradient norm where no optimum is known.
StopConditions target_at(const Problem& problem, double part, ThreadPool& pool);
StopConditions target_at(const Problem& problem, double part, Transport& transport, ThreadPool& pool);  // collective

// Divergence is a result.
MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool);

}  // namespace driftless
