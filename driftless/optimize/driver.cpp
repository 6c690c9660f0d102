#include "driftless/optimize/driver.hpp"

#include "driftless/core/check.hpp"
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
  double under_way() const {  // of the work that is running now
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
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

// Watches one round, and opens it for all peers where they may abandon it together.
class WatchedRound {
 public:
  WatchedRound(Federation& fed, WorkGuard::Limits limits, std::optional<RoundLimits> shared)
      : guard_(fed.guard()), transport_(shared ? &fed.transport() : nullptr) {
    if (transport_ != nullptr) transport_->open_round(*std::move(shared));
    guard_.arm(std::move(limits));
  }
  ~WatchedRound() {
    guard_.disarm();
    if (transport_ != nullptr) transport_->close_round();
  }
  WatchedRound(const WatchedRound&) = delete;
  WatchedRound& operator=(const WatchedRound&) = delete;

 private:
  WorkGuard& guard_;
  Transport* transport_;
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
    const TraceRow row = trace_.measure(fed_, x_, counted());
    StopReason reason = options_.stop.by_quality(row, row);
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
    TraceRow row;
    if (const StopReason reason = whole_round(row); reason != StopReason::none) return end_between_rounds(reason);
    if (options_.observe) options_.observe(method_, fed_, x_);
    StopReason reason = options_.stop.by_count(row);
    if (reason != StopReason::none || row.round % options_.every == 0) {
      if (!counts_every_round()) Trace::count_work(fed_, row);
      row = trace_.measure(fed_, x_, row);
      reason = verdict(reason);
    }
    if (options_.on_round) options_.on_round(row);
    return reason;
  }

  bool several_peers() const { return fed_.transport().layout().peers > 1; }
  // Whether all peers may abandon a round together.
  bool shares_limits() const { return several_peers() && (options_.shared_seconds || options_.stop.grad_evals); }
  // Local work may end a round after its last collective, so that peers who abandon it need another one.
  bool counts_every_round() const { return options_.stop.grad_evals || shares_limits(); }

  // The reason why the round was abandoned, where it was; otherwise its counts.
  StopReason whole_round(TraceRow& row) {
    const bool may_be_abandoned = !several_peers() || shares_limits();
    if (may_be_abandoned) snapshot_.take(method_, fed_, x_);
    fed_.begin_round();
    StopReason reason = StopReason::none;
    const WatchedRound watched(fed_, limits(reason), shared_limits());
    try {
      clock_.run([&] {
        method_.round(fed_, x_);
        row = Trace::count(fed_, 0.0);
        if (counts_every_round()) Trace::count_work(fed_, row);
      });
      DRIFTLESS_ASSERT(!fed_.guard().abandoned(), "a round was abandoned by this peer alone");
      row.wall_s = clock_.seconds();
      return StopReason::none;
    } catch (const RoundAbandoned&) {
      snapshot_.restore(method_, fed_, x_);
      return several_peers() ? reason_of(fed_.transport().agreement().signal) : reason;
    }
  }

  WorkGuard::Limits limits(StopReason& reason) {
    WorkGuard::Limits limits{.patience = options_.patience};
    if (const auto most = options_.stop.grad_evals; most && *most < limits.most_gradients / 2)
      limits.most_gradients = 2 * *most;
    if (several_peers()) limits.over = [this](bool too_much_work) { return is_over_for_all(too_much_work); };
    else
      limits.over = [this, &reason](bool too_much_work) {
        reason = too_much_work ? StopReason::grad_evals : reason_of(fed_.stop_signal());
        if (reason == StopReason::none && late(options_.stop.seconds)) reason = StopReason::seconds;
        return reason != StopReason::none;
      };
    return limits;
  }

  // Asked by clients of one of several peers. A signal ends the run with an Error.
  bool is_over_for_all(bool too_much_work) {
    Transport& transport = fed_.transport();
    transport.throw_if_ended();
    if (too_much_work) transport.abandon_round(StopSignal::work_over_in_round);
    else if (transport.clock_decides() && late(options_.shared_seconds))
      transport.abandon_round(StopSignal::time_over_in_round);
    else return shares_limits() && transport.round_is_abandoned();
    return true;
  }

  std::optional<RoundLimits> shared_limits() {
    if (!shares_limits()) return std::nullopt;
    return RoundLimits{
        .time_is_over = [this] { return clock_.under_way() >= options_.patience && late(options_.shared_seconds); },
        .limits_work = options_.stop.grad_evals.has_value()};
  }

  bool late(std::optional<double> seconds) const {
    return seconds && clock_.seconds() + clock_.under_way() >= *seconds;
  }

  // The counts between two rounds, with the work of all clients.
  TraceRow counted() const {
    TraceRow row = Trace::count(fed_, clock_.seconds());
    Trace::count_work(fed_, row);
    return row;
  }

  // What the last row says of a run that its counts let continue, or ended by `reason`.
  StopReason verdict(StopReason reason) const {
    const std::vector<TraceRow>& rows = trace_.rows();
    if (beyond_bounds(rows.front(), rows.back())) return StopReason::diverged;
    if (const StopReason reached = options_.stop.by_quality(rows.front(), rows.back()); reached != StopReason::none)
      return reached;
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
  // such row. For any other reason no round follows: a peer that restarted from a checkpoint here would begin one,
  // while the others have ended.
  StopReason end_between_rounds(StopReason reason) {
    if (reason == StopReason::interrupted) checkpoint(true);
    if (trace_.rows().back().round != fed_.ledger().rounds) trace_.measure(fed_, x_, counted());
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
