// The loop over rounds, the same for every method.
#pragma once

#include "driftless/methods/method.hpp"
#include "driftless/optimize/stop.hpp"
#include "driftless/optimize/trace.hpp"

#include <functional>

namespace driftless {

// The state of a run between two rounds: everything that the following rounds depend on. A checkpoint writes and
// restores it.
struct RunState {
  Method& method;
  Federation& fed;
  Trace& trace;
  Vector& x;
  double seconds;  // of work of the method
};

struct DriveOptions {
  StopConditions stop = {};
  // With several peers: seconds of work after which a clock that decides for all abandons a round that is under way.
  std::optional<double> shared_seconds = {};
  OutputPoint output = OutputPoint::last;
  std::size_t every = 1;  // measure every k-th round, and the last
  // Seconds after which a round may be abandoned; a shorter one ends first.
  double patience = 0.5;
  std::function<void(const TraceRow&)> on_round = {};  // called with the counts after every round
  // Called after the start and after every round; its time does not count as work of the method.
  std::function<void(Method&, Federation&, const Vector& x)> observe = {};
  // Restores a checkpoint instead of starting, into a method, federation and trace that were just made.
  std::function<void(RunState&)> restore = {};
  // Called after the start and after every round but the last. `interrupted`: no round follows in this process.
  std::function<void(RunState&, bool interrupted)> checkpoint = {};
};

struct DriveResult {
  StopReason reason = StopReason::none;
  Vector x;                // the last point
  Vector output;           // the requested output point; x itself for `last`
  Traffic output_traffic;  // the cost of forming it after the last round
};

// Rounds until a stop condition is met, the run diverges or the federation's stop token requests an end. A long round
// does not delay the end: where the seconds are over or a client has twice as many gradients as `grad_evals` allows,
// all peers abandon the round, and everything is as it was after the round before. The token does the same in one
// process; several peers are ended by their transport instead.
DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace);

}  // namespace driftless
