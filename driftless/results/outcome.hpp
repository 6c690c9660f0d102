// The outcome of one method of a run.
#pragma once

#include "driftless/config/method_config.hpp"
#include "driftless/glm/fit_report.hpp"
#include "driftless/optimize/driver.hpp"
#include "driftless/theory/theorem_check.hpp"

#include <vector>

namespace driftless {

struct MethodOutcome {
  MethodConfig method;
  StopReason reason = StopReason::none;
  std::vector<TraceRow> rows;
  Tally work;              // `ends` over all clients; steps and gradients at the busiest
  Traffic output_traffic;  // what forming the output point cost
  std::uint64_t scalars_up = 0;
  std::uint64_t scalars_down = 0;
  Position position;  // after all collectives of the run up to the end of this method, including measurements
  std::optional<TheoremCheckReport> certificate;  // of a theorem check
  std::optional<MethodDecision> decision;         // of a method that chooses its own ways
  std::optional<FitReport> fit;                   // of a model of tables

  const TraceRow& first() const { return rows.front(); }
  const TraceRow& last() const { return rows.back(); }
};

}  // namespace driftless
