#include "driftless/optimize/driver.hpp"

#include "driftless/optimize/round_snapshot.hpp"

#include <chrono>

namespace driftless {
namespace {

// Measures the time of the method's own work.
class WorkClock {
 public:
  template <class Work>
  void run(Work&& work) {
    start_ = std::chrono::steady_clock::now();
    work();
    elapsed_ += std::chrono::steady_clock::now() - start_;
  }
  void continue_from(double seconds) { before_ = seconds; }
  double seconds() const { return before_ + std::chrono::duration<double>(elapsed_).count(); }
  // With the work that is under way.
  double seconds_now() const {
    return seconds() + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  double before_ = 0.0;
  std::chrono::steady_clock::time_point start_;
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

// Watches one round.
class ArmedGuard {
 public:
  ArmedGuard(WorkGuard& guard, WorkGuard::Limits limits) : guard_(guard) { guard_.arm(std::move(limits)); }
  ~ArmedGuard() { guard_.disarm(); }
  ArmedGuard(const ArmedGuard&) = delete;
  ArmedGuard& operator=(const ArmedGuard&) = delete;

 private:
  WorkGuard& guard_;
};

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
    if (const StopReason reason = whole_round(); reason != StopReason::none) return end_between_rounds(reason);
    if (options_.observe) options_.observe(method_, fed_, x_);
    TraceRow row = Trace::count(fed_, clock_.seconds());
    if (options_.stop.grad_evals) Trace::count_work(fed_, row);
    StopReason reason = options_.stop.by_count(row);
    if (reason != StopReason::none || row.round % options_.every == 0) {
      row = trace_.measure(fed_, x_, row);
      reason = verdict(reason);
    }
    if (options_.on_round) options_.on_round(row);
    return reason;
  }

  // The reason why the round was abandoned, where it was.
  StopReason whole_round() {
    if (fed_.transport().layout().peers > 1) {
      round_of_several_peers();
      return StopReason::none;
    }
    snapshot_.take(method_, fed_, x_);
    fed_.begin_round();
    StopReason reason = StopReason::grad_evals;  // where no question about the others ended the round
    const ArmedGuard armed(fed_.guard(), limits(reason));
    try {
      clock_.run([&] { method_.round(fed_, x_); });
      return StopReason::none;
    } catch (const RoundAbandoned&) {
      snapshot_.restore(method_, fed_, x_);
      return reason;
    }
  }

  // Several peers would have to abandon the same round, so a run that ends inside one ends with an Error.
  void round_of_several_peers() {
    fed_.begin_round();
    const ArmedGuard armed(fed_.guard(), {.patience = options_.patience, .over = [this] {
                                            fed_.transport().throw_if_ended();
                                            return false;
                                          }});
    clock_.run([&] { method_.round(fed_, x_); });
  }

  WorkGuard::Limits limits(StopReason& reason) const {
    WorkGuard::Limits limits{.patience = options_.patience};
    if (const auto most = options_.stop.grad_evals; most && *most < limits.most_gradients / 2)
      limits.most_gradients = 2 * *most;
    limits.over = [this, &reason] {
      const StopReason asked = reason_of(fed_.stop_signal());
      const bool late = options_.stop.seconds && clock_.seconds_now() >= *options_.stop.seconds;
      if (asked == StopReason::none && !late) return false;
      reason = asked != StopReason::none ? asked : StopReason::seconds;
      return true;
    };
    return limits;
  }

  // What the last row says of a run that its counts let continue, or ended by `reason`.
  StopReason verdict(StopReason reason) const {
    const std::vector<TraceRow>& rows = trace_.rows();
    if (beyond_bounds(rows.front(), rows.back())) return StopReason::diverged;
    if (const StopReason reached = options_.stop.by_quality(rows.back()); reached != StopReason::none) return reached;
    const bool above = reason == StopReason::none ? stays_above_start(rows) : ended_above_start(rows);
    return above ? StopReason::diverged : reason;
  }

  StopReason stop_or_continue() {
    const StopReason reason = reason_of(fed_.stop_signal());
    if (reason != StopReason::none) return end_between_rounds(reason);
    checkpoint(false);
    return reason;
  }

  // The checkpoint of an interrupted run comes before the row that only the interruption adds: a resumed run has no
  // such row.
  StopReason end_between_rounds(StopReason reason) {
    checkpoint(reason == StopReason::interrupted);
    const TraceRow row = Trace::count(fed_, clock_.seconds());
    if (trace_.rows().back().round != row.round) trace_.measure(fed_, x_, row);
    return reason == StopReason::interrupted ? reason : verdict(reason);
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
  RoundSnapshot snapshot_;
};

}  // namespace

DriveResult drive(Method& method, Federation& fed, Vector x, const DriveOptions& options, Trace& trace) {
  return Drive(method, fed, std::move(x), options, trace).run();
}

}  // namespace driftless
