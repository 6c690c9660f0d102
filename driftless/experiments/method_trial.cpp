#include "driftless/experiments/method_trial.hpp"

#include "driftless/experiments/run_progress.hpp"
#include "driftless/federation/in_process_transport.hpp"

namespace driftless {

double MethodTrial::gap_left() const {
  const double first = rows.front().f_gap.value_or(1.0);
  return rows.back().f_gap.value_or(first) / first;
}

StopConditions target_at(const Problem& problem, double part, ThreadPool& pool) {
  InProcessTransport transport(problem.n);
  Federation fed(problem.clients, transport, pool, 1);
  const Measurement first = fed.measure(problem.start);
  StopConditions target;
  if (problem.reference) target.gap = part * (first.value - problem.reference->minimum);
  else target.grad_norm = part * first.gradient.norm();
  return target;
}

MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool) {
  const ClientObjectives& clients = options.copies != nullptr ? *options.copies : problem.clients;
  InProcessTransport transport(clients.size());
  Federation fed(clients, transport, pool, options.seed, options.stop_token);
  Progress progress(options.progress, entry.name, options.stop);
  Trace trace(
      problem.reference, [&](const TraceRow& row) { progress.measured(row); }, options.tested ? problem.test : nullptr);
  const DriveOptions drive_options{
      .stop = options.stop, .output = OutputPoint::last, .every = options.every, .on_round = [&](const TraceRow& row) {
        progress.show(row);
      }};
  const std::unique_ptr<Method> method = entry.make(settings);
  const StopReason reason = drive(*method, fed, problem.start, drive_options, trace).reason;
  return {.reason = reason, .rows = trace.rows()};
}

}  // namespace driftless
