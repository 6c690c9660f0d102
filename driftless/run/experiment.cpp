#include "driftless/run/experiment.hpp"

#include "driftless/data/output_file.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/machine.hpp"
#include "driftless/run/metrics_file.hpp"
#include "driftless/run/npy.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/run_directory.hpp"
#include "driftless/transports/solo.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

class Runner {
 public:
  Runner(const RunConfig& config, const ExperimentOptions& options)
      : config_(config), options_(options), directory_(config, options.out), pool_(config.federation.threads) {
    fix_block_sizes();
    record_.directory = directory_.path();
    record_.threads = pool_.size();
    record_.start = utc_time();
  }

  Experiment run() {
    make_problem_or_discard();
    try {
      for (const MethodConfig& method : config_.methods)
        if (!stop_asked()) run_method(method);
    } catch (const Error& error) {
      finish(error.code());
      throw;
    }
    finish(exit_code());
    return {std::move(problem_), std::move(record_)};
  }

 private:
  std::optional<ExitCode> stop_asked() const {
    return options_.asked_to_stop ? options_.asked_to_stop() : std::nullopt;
  }

  void make_problem_or_discard() {
    try {
      problem_ = make_problem(config_, pool_);
      check_methods();
    } catch (...) {
      directory_.discard();
      throw;
    }
    log_info(problem_.summary);
    if (!problem_.reference && config_.problem.may_have_reference())
      log_warning("the optimum was not found, so gaps and distances are left out");
    if (!problem_.split_manifest.empty()) write_output_file(directory_.path() / "split.json", problem_.split_manifest);
    write_record();
  }

  // Some methods do not go with every number of clients: a graph may not fit. Stating what a round costs finds out.
  void check_methods() const {
    for (const MethodConfig& method : config_.methods)
      find_method(method.name).make(method.settings)->round_traffic(problem_.clients.size());
  }

  void run_method(const MethodConfig& method) {
    const std::filesystem::path folder = directory_.method_folder(method.label);
    MetricsFile metrics(folder);
    Solo transport(problem_.clients.size());
    Federation fed(problem_.clients, transport, pool_, method.seed, std::make_unique<SeededChance>(method.seed));
    Progress progress(options_.progress, method.label, config_.stop);
    Trace trace(problem_.reference, [&](const TraceRow& row) {
      metrics.add(row);
      progress.measured(row);
    });
    const DriveOptions drive_options{.stop = config_.stop,
                                     .output = method.output,
                                     .every = config_.output.every,
                                     .interrupted = [&] { return stop_asked().has_value(); },
                                     .on_round = [&](const TraceRow& row) { progress.show(row); }};
    const std::unique_ptr<Method> made = find_method(method.name).make(method.settings);
    const DriveResult result = drive(*made, fed, problem_.start, drive_options, trace);
    progress.clear();

    MethodOutcome outcome{.method = method,
                          .reason = result.reason,
                          .rows = trace.rows(),
                          .work = total_work(fed),
                          .output_traffic = result.output_traffic,
                          .scalars_up = fed.ledger().scalars_up,
                          .scalars_down = fed.ledger().scalars_down};
    write_npy(folder / "model.npy", result.x);
    if (method.output != OutputPoint::last) write_npy(folder / "output.npy", result.output);
    write_output_file(folder / "summary.json", summary_json(outcome));
    tell(outcome);
    record_.outcomes.push_back(std::move(outcome));
    write_record();
  }

  Tally total_work(const Federation& fed) const {
    Tally total = fed.busiest();
    total.ends = {};
    for (std::size_t slot = 0; slot < problem_.clients.size(); ++slot)
      for (std::size_t end = 0; end < total.ends.size(); ++end) total.ends[end] += fed.tally(slot).ends[end];
    return total;
  }

  void tell(const MethodOutcome& outcome) const {
    const TraceRow& last = outcome.last();
    if (outcome.reason != StopReason::diverged)
      return log_info(fmt::format("{}: {} rounds, ended by {}, {:.2f} s", outcome.method.label, last.round,
                                  enum_name(outcome.reason), last.wall_s));
    const Error failure(ExitCode::run_failed,
                        {.what = fmt::format("method '{}' diverged in round {}", outcome.method.label, last.round),
                         .seen = fmt::format("f = {}, gradient norm = {}, which was {} at the start", number(last.f),
                                             number(last.grad_norm), number(outcome.first().grad_norm)),
                         .advice = "try a smaller step, or a larger eta or lambda; the metrics until then are in " +
                                   (directory_.path() / outcome.method.label / "metrics.csv").string()});
    log_error(failure.what());
  }

  ExitCode exit_code() const {
    if (const std::optional<ExitCode> asked = stop_asked()) return *asked;
    for (const MethodOutcome& outcome : record_.outcomes)
      if (outcome.reason == StopReason::diverged) return ExitCode::run_failed;
    return ExitCode::done;
  }

  void finish(ExitCode code) {
    record_.exit_code = code;
    record_.end = utc_time();
    write_record();
  }

  void write_record() const { write_output_file(directory_.path() / "run.json", run_json(config_, problem_, record_)); }

  const RunConfig& config_;
  const ExperimentOptions& options_;
  RunDirectory directory_;
  ThreadPool pool_;
  Problem problem_;
  RunRecord record_;
};

}  // namespace

Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options) {
  return Runner(config, options).run();
}

}  // namespace driftless
