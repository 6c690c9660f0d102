// The loop: the same for every method.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/run/stop.hpp"
#include "driftless/run/trace.hpp"

#include <functional>

namespace driftless {

struct DriveOptions {
  StopConditions stop;
  OutputPoint output = OutputPoint::last;
  std::size_t every = 1;                          // measure every k-th round, and the last
  std::function<StopReason()> ended;              // asked after every round: whether something outside ends the run
  std::function<void(const TraceRow&)> on_round;  // shown the counts after every round
  // Shown the state after the start and after every round; its time is not the method's.
  std::function<void(Method&, Federation&, const Vector& x)> watch;
};

struct DriveResult {
  StopReason reason = StopReason::none;
  Vector x;                // the last point
  Vector output;           // the output point asked for; x itself for `last`
  Traffic output_traffic;  // what forming it cost after the last round
};

// Asks the method to keep what the output point needs. ConfigError if the method has no such point.
void prepare_output(Method& method, OutputPoint point);

DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace);

}  // namespace driftless
