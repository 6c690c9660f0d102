// What a run of a method came to.
#pragma once

#include "driftless/federation/traffic.hpp"
#include "driftless/methods/method.hpp"
#include "driftless/optimize/stop.hpp"
#include "driftless/optimize/trace.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct Summary {
  StopReason reason = StopReason::none;  // `interrupted`: on_round asked for it
  Vector x;                              // the last point
  Vector output;                         // the output point that was asked for; x itself for `last`
  Traffic output_traffic;                // what forming it cost after the last round

  // At x and until then.
  std::uint64_t rounds = 0;       // as the papers count them
  std::uint64_t exchanges = 0;    // synchronous round trips
  std::uint64_t messages = 0;     // vectors, both directions
  std::uint64_t bytes_up = 0;     // clients to server
  std::uint64_t bytes_down = 0;   // server to clients
  std::uint64_t local_steps = 0;  // of the busiest client
  std::uint64_t grad_evals = 0;   // of the busiest client
  double seconds = 0.0;           // of the method; measuring is not included
  double f = 0.0;
  double grad_norm = 0.0;     // ‖∇f(x)‖
  std::optional<double> gap;  // f(x) − f*, where the minimum is known

  std::optional<MethodDecision> decision;  // of a method that chooses its own ways, such as Auto

  std::vector<TraceRow> rows;  // the start, then every measured round

  std::uint64_t bytes() const { return bytes_up + bytes_down; }
  // One line: reason, rounds, exchanges, bytes, f and ‖∇f‖.
  std::string brief() const;
};

// The counts and measurements are those of the last row.
Summary summary_of(StopReason reason, std::vector<TraceRow> rows);

}  // namespace driftless
