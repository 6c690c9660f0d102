#include "driftless/experiments/method_run.hpp"

#include "driftless/console/log.hpp"
#include "driftless/results/decision_json.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

Tally total_work(const Federation& fed) {
  Tally total = fed.busiest();
  total.ends = fed.work_of_all().ends;
  return total;
}

}  // namespace

MethodRun::MethodRun(const RunContext& context, const MethodConfig& config, const RunRecorder& recorder)
    : context_(context),
      config_(config),
      fed_(context.problem.clients, context.problem.dim(), context.transport, context.pool, config.seed,
           context.stop.token()),
      progress_(context.options.progress, config.label, context.config.stop),
      trace_(
          context.problem.reference,
          [this](const TraceRow& row) {
            if (metrics_) metrics_->add(row);
            progress_.measured(row);
          },
          context.problem.test) {
  fed_.aggregate_by(context.config.federation.rule());
  const std::filesystem::path folder = recorder.method_folder(config.label);
  const StateOwner owner = recorder.owner_of(config.label);
  const bool tested = context.problem.test != nullptr;
  if (context.options.resume && !config.certificate && SavedRun::exists(folder)) saved_.emplace(folder, owner);
  if (saved_) metrics_ = MetricsFile::continuing(folder, saved_->rows(), tested);
  else if (!folder.empty()) metrics_.emplace(folder, tested);
  if (config.certificate)
    check_.emplace(find_method(config.name), config.settings,
                   TheoremFacts{context.constants->values, context.problem.reference, config.output},
                   context.problem.clients, config.forced_check ? Assumptions::ignored : Assumptions::respected,
                   ConstantsOrigin{context.constants->exact, context.constants->everywhere});
  if (metrics_ && !check_ && context.options.saves)
    saver_.emplace(folder, owner, context.config.output.save_seconds, *metrics_, [&recorder] { recorder.sync(); });
}

DriveOptions MethodRun::drive_options() {
  DriveOptions options{.stop = context_.stop.local_part_of(context_.config.stop),
                       .shared_seconds = context_.stop.shared_part_of(context_.config.stop),
                       .output = config_.output,
                       .every = context_.config.output.every,
                       .on_round = [this](const TraceRow& row) {
                         progress_.show(row);
                         context_.stop.check_clock(row);
                         if (context_.options.on_round) context_.options.on_round(config_.label, row);
                       }};
  options.observe = [this](Method& m, Federation& f, const Vector& x) {
    log_decision(m);
    if (check_) check_->watch(m, f, x);
  };
  if (saver_)
    options.checkpoint = [this](RunState& state, bool interrupted) {
      saver_->checkpoint(state, interrupted);
      Checkpointing* const shared = context_.transport.checkpointing();
      if (interrupted && shared != nullptr) shared->on_interrupt();
    };
  if (saved_) options.restore = [this](RunState& state) { restore(state); };
  return options;
}

void MethodRun::restore(RunState& state) {
  for (const TraceRow& row : saved_->rows()) progress_.measured(row);
  saved_->restore(state);
  log_info(fmt::format("{}: continues after round {}", config_.label, state.fed.ledger().rounds));
}

// Once for every choice: a method may choose again on its way.
void MethodRun::log_decision(const Method& method) {
  const std::optional<MethodDecision> decision = method.decision();
  if (!decision || decision->chosen == logged_choice_) return;
  logged_choice_ = decision->chosen;
  progress_.clear();
  log_info(config_.label + ": " + decision_text(*decision));
}

DriveResult MethodRun::run(Method& method) {
  context_.stop.begin_method();
  DriveResult result = drive(method, fed_, context_.problem.start, drive_options(), trace_);
  if (check_) check_->finish(method, fed_, result.x, result.output);
  progress_.clear();
  return result;
}

MethodOutcome MethodRun::outcome(const Method& method, const DriveResult& result) const {
  return {.method = config_,
          .reason = result.reason,
          .rows = trace_.rows(),
          .work = total_work(fed_),
          .output_traffic = result.output_traffic,
          .scalars_up = fed_.ledger().scalars_up,
          .scalars_down = fed_.ledger().scalars_down,
          .position = context_.transport.position(),
          .certificate = check_ ? std::optional(check_->report()) : std::nullopt,
          .decision = method.decision()};
}

}  // namespace driftless
