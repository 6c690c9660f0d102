#include "driftless/run/driver.hpp"

#include <chrono>

namespace driftless {
namespace {

// Counts the time in which the method works, and only that.
class WorkClock {
 public:
  template <class Work>
  void run(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    elapsed_ += std::chrono::steady_clock::now() - start;
  }
  double seconds() const { return std::chrono::duration<double>(elapsed_).count(); }

 private:
  std::chrono::steady_clock::duration elapsed_{};
};

Vector output_point(OutputPoint point, Method& method, Federation& fed, const Vector& x, const Trace& trace) {
  switch (point) {
    case OutputPoint::last: return x;
    case OutputPoint::best: return trace.best();
    case OutputPoint::best_gradient: return trace.best_gradient();
    case OutputPoint::weighted:
    case OutputPoint::uniform: return method.output(fed, x);
  }
  return x;
}

}  // namespace

void prepare_output(Method& method, OutputPoint point) {
  const bool methods_own = point == OutputPoint::weighted || point == OutputPoint::uniform;
  if (methods_own && !method.keep_for_output(point))
    throw ConfigError({.what = "this method has no such 'output' point",
                       .seen = "output = " + toml_string(enum_name(point)),
                       .advice = "use last, best or best-gradient"});
}

DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace) {
  WorkClock clock;
  prepare_output(method, options.output);
  clock.run([&] { method.start(fed, x); });
  if (options.watch) options.watch(method, fed, x);
  TraceRow row = trace.measure(fed, x, Trace::count(fed, clock.seconds()));
  const TraceRow first = row;

  StopReason reason = options.stop.by_quality(row);
  if (reason == StopReason::none) reason = options.stop.by_count(row);
  while (reason == StopReason::none) {
    fed.begin_round();
    clock.run([&] { method.round(fed, x); });
    if (options.watch) options.watch(method, fed, x);
    row = Trace::count(fed, clock.seconds());
    if (options.stop.grad_evals) Trace::count_work(fed, row);
    reason = options.stop.by_count(row);
    if (reason == StopReason::none && options.ended) reason = options.ended();
    if (reason != StopReason::none || row.round % options.every == 0) {
      row = trace.measure(fed, x, row);
      if (const StopReason reached = options.stop.by_quality(row); reached != StopReason::none) reason = reached;
      if (diverged(first, row)) reason = StopReason::diverged;
    }
    if (options.on_round) options.on_round(row);
  }

  const Ledger before = fed.ledger();
  DriveResult result{.reason = reason, .x = x, .output = {}, .output_traffic = {}};
  result.output = output_point(options.output, method, fed, x, trace);
  const Ledger& after = fed.ledger();
  result.output_traffic = {.exchanges = after.exchanges - before.exchanges,
                           .up = after.vectors_up - before.vectors_up,
                           .down = after.vectors_down - before.vectors_down};
  return result;
}

}  // namespace driftless
