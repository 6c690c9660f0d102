#include "driftless/experiments/method_trial.hpp"

#include "driftless/experiments/run_progress.hpp"
#include "driftless/federation/in_process_transport.hpp"

namespace driftless {

double MethodTrial::gap_left() const {
  const auto size = [](const TraceRow& row) { return row.f_gap.value_or(row.grad_norm); };
  return size(rows.back()) / size(rows.front());
}

StopConditions target_at(const Problem& problem, double part, ThreadPool& pool) {
  InProcessTransport transport(problem.n);
  return target_at(problem, part, transport, pool);
}

StopConditions target_at(const Problem& problem, double part, Transport& transport, ThreadPool& pool) {
  Federation fed(problem.clients, problem.dim(), transport, pool, 1);
  const Measurement first = fed.measure(problem.start);
  StopConditions target;
  if (problem.reference) target.gap = part * (first.value - problem.reference->minimum);
  else target.grad_norm = part * first.gradient.norm();
  return target;
}

MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool) {
  const ClientObjectives& clients = options.copies != nullptr ? *options.copies : problem.clients;
  InProcessTransport in_process(problem.n);
  Transport& transport = options.transport != nullptr ? *options.transport : in_process;
  Federation fed(clients, problem.dim(), transport, pool, options.seed, options.stop_token);
  Progress progress(options.progress, entry.name, options.stop);
  Trace trace(
      problem.reference, [&](const TraceRow& row) { progress.measured(row); }, options.tested ? problem.test : nullptr);
  const DriveOptions drive_options{
      .stop = options.stop, .output = OutputPoint::last, .every = options.every, .on_round = [&](const TraceRow& row) {
        progress.show(row);
      }};
  const std::unique_ptr<Method> method = entry.make(settings);
  const StopReason reason = drive(*method, fed, problem.start, drive_options, trace).reason;
  return {.reason = reason, .rows = trace.rows(), .decision = method->decision()};
}

}  // namespace driftless
