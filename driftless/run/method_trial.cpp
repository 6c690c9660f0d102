#include "driftless/run/method_trial.hpp"

#include "driftless/core/check.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/transports/solo.hpp"

namespace driftless {

MethodTrial try_method(const Problem& problem, const MethodEntry& entry, const Settings& settings,
                       const MethodTrialOptions& options, ThreadPool& pool) {
  DRIFTLESS_ASSERT(problem.reference.has_value(), "a gap needs the optimum");
  Solo transport(problem.clients.size());
  Federation fed(problem.clients, transport, pool, options.seed, std::make_unique<SeededChance>(options.seed));
  const double first = fed.measure(problem.start).value - problem.reference->minimum;
  DriveOptions drive_options{.stop = options.budget,
                             .output = OutputPoint::last,
                             .every = 1,
                             .interrupted = options.interrupted,
                             .on_round = {},
                             .watch = {}};
  drive_options.stop.gap = options.part * first;
  Progress progress(options.progress, entry.name, drive_options.stop);
  drive_options.on_round = [&](const TraceRow& row) { progress.show(row); };
  Trace trace(problem.reference, [&](const TraceRow& row) { progress.measured(row); });
  const std::unique_ptr<Method> method = entry.make(settings);
  MethodTrial trial;
  trial.reason = drive(*method, fed, problem.start, drive_options, trace).reason;
  trial.last = trace.rows().back();
  trial.part = trial.last.f_gap.value_or(first) / first;
  return trial;
}

}  // namespace driftless
