// The loop: the same for every method.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/optimize/stop.hpp"
#include "driftless/optimize/trace.hpp"

#include <functional>

namespace driftless {

// A run between two rounds: all that the rounds to come depend on. Saved from here, and put back here.
struct RoundBorder {
  Method& method;
  Federation& fed;
  Trace& trace;
  Vector& x;
  double seconds;  // in which the method has worked
};

struct DriveOptions {
  StopConditions stop = {};
  OutputPoint output = OutputPoint::last;
  std::size_t every = 1;                          // measure every k-th round, and the last
  std::function<StopReason()> ended = {};              // asked after every round that is not the last: by what outside
  std::function<void(const TraceRow&)> on_round = {};  // shown the counts after every round
  // Shown the state after the start and after every round; its time is not the method's.
  std::function<void(Method&, Federation&, const Vector& x)> watch = {};
  // Puts a saved run back in place of starting: into a method, federation and trace just made.
  std::function<void(RoundBorder&)> restore = {};
  // Shown the run after the start and after every round, where it goes on; `leaving`: later, for it is interrupted.
  std::function<void(RoundBorder&, bool leaving)> at_border = {};
};

struct DriveResult {
  StopReason reason = StopReason::none;
  Vector x;                // the last point
  Vector output;           // the output point asked for; x itself for `last`
  Traffic output_traffic;  // what forming it cost after the last round
};

DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace);

}  // namespace driftless
