#include "driftless/optimize/driver.hpp"

#include <chrono>

namespace driftless {
namespace {

// Measures the time of the method's own work.
class WorkClock {
 public:
  template <class Work>
  void run(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    elapsed_ += std::chrono::steady_clock::now() - start;
  }
  void continue_from(double seconds) { before_ = seconds; }
  double seconds() const { return before_ + std::chrono::duration<double>(elapsed_).count(); }

 private:
  double before_ = 0.0;
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

// The loop with its state.
class Drive {
 public:
  Drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace)
      : method_(method), fed_(fed), x_(std::move(x)), options_(options), trace_(trace) {}

  DriveResult run() {
    prepare_output(method_, options_.output);
    StopReason reason = options_.restore ? restore() : start();
    while (reason == StopReason::none) {
      reason = round();
      if (reason == StopReason::none) reason = stop_or_continue();
    }
    return result(reason);
  }

 private:
  StopReason start() {
    clock_.run([&] { method_.start(fed_, x_); });
    if (options_.observe) options_.observe(method_, fed_, x_);
    const TraceRow row = trace_.measure(fed_, x_, Trace::count(fed_, clock_.seconds()));
    StopReason reason = options_.stop.by_quality(row);
    if (reason == StopReason::none) reason = options_.stop.by_count(row);
    if (reason == StopReason::none) checkpoint(false);
    return reason;
  }

  StopReason restore() {
    method_.prepare(fed_);
    RunState state{method_, fed_, trace_, x_, 0.0};
    options_.restore(state);
    clock_.continue_from(state.seconds);
    return StopReason::none;
  }

  StopReason round() {
    fed_.begin_round();
    clock_.run([&] { method_.round(fed_, x_); });
    if (options_.observe) options_.observe(method_, fed_, x_);
    TraceRow row = Trace::count(fed_, clock_.seconds());
    if (options_.stop.grad_evals) Trace::count_work(fed_, row);
    StopReason reason = options_.stop.by_count(row);
    if (reason != StopReason::none || row.round % options_.every == 0) {
      row = trace_.measure(fed_, x_, row);
      if (const StopReason reached = options_.stop.by_quality(row); reached != StopReason::none) reason = reached;
      if (diverged(trace_.rows().front(), row)) reason = StopReason::diverged;
    }
    if (options_.on_round) options_.on_round(row);
    return reason;
  }

  // The checkpoint of an interrupted run comes before the row that only the interruption adds: a resumed run has no
  // such row.
  StopReason stop_or_continue() {
    const StopReason reason = reason_of(fed_.stop_signal());
    checkpoint(reason == StopReason::interrupted);
    if (reason == StopReason::none) return reason;
    const TraceRow row = Trace::count(fed_, clock_.seconds());
    if (trace_.rows().back().round != row.round) trace_.measure(fed_, x_, row);
    return reason;
  }

  void checkpoint(bool interrupted) {
    if (!options_.checkpoint) return;
    RunState state{method_, fed_, trace_, x_, clock_.seconds()};
    options_.checkpoint(state, interrupted);
  }

  DriveResult result(StopReason reason) {
    const Ledger before = fed_.ledger();
    DriveResult result{.reason = reason, .x = x_, .output = {}, .output_traffic = {}};
    result.output = output_point(options_.output, method_, fed_, x_, trace_);
    const Ledger& after = fed_.ledger();
    result.output_traffic = {.exchanges = after.exchanges - before.exchanges,
                             .up = after.vectors_up - before.vectors_up,
                             .down = after.vectors_down - before.vectors_down};
    return result;
  }

  Method& method_;
  Federation& fed_;
  Vector x_;
  const DriveOptions& options_;
  Trace& trace_;
  WorkClock clock_;
};

}  // namespace

DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace) {
  return Drive(method, fed, std::move(x), options, trace).run();
}

}  // namespace driftless
