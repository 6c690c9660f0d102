#include "driftless/run/experiment.hpp"

#include "driftless/data/output_file.hpp"
#include "driftless/run/certificate_writer.hpp"
#include "driftless/run/link_model.hpp"
#include "driftless/run/log.hpp"
#include "driftless/run/machine.hpp"
#include "driftless/run/metrics_file.hpp"
#include "driftless/run/npy.hpp"
#include "driftless/run/progress.hpp"
#include "driftless/run/run_directory.hpp"
#include "driftless/run/theory.hpp"
#include "driftless/transports/solo.hpp"

#include <algorithm>
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
    record_.links = options.links;
  }

  Experiment run() {
    make_problem_or_discard();
    if (options_.on_start) options_.on_start(directory_.path());
    try {
      for (const MethodConfig& method : config_.methods)
        if (!stop_asked()) run_method(method);
      judge_certificates();
    } catch (const Error& error) {
      finish(error.code());
      throw;
    }
    finish(exit_code());
    return {std::move(config_), std::move(problem_), std::move(record_)};
  }

 private:
  std::optional<ExitCode> stop_asked() const {
    return options_.asked_to_stop ? options_.asked_to_stop() : std::nullopt;
  }

  void make_problem_or_discard() {
    try {
      problem_ = make_problem(config_, pool_);
      if (!constants_asked() || find_constants()) check_methods();
    } catch (...) {
      directory_.discard();
      throw;
    }
    log_info(problem_.summary);
    tell_theory();
    if (!problem_.reference && config_.problem.may_have_reference())
      log_warning("the optimum was not found, so gaps and distances are left out");
    if (!problem_.split_manifest.empty()) write_output_file(directory_.path() / "split.json", problem_.split_manifest);
    write_record();
  }

  bool constants_asked() const {
    return asks_for_theory(config_.methods) || std::ranges::any_of(config_.methods, &MethodConfig::certificate);
  }

  // False where it was asked to stop on the way: then no method will run, and the configuration stays as it was given.
  bool find_constants() {
    constants_ = problem_constants(
        problem_, pool_, {.progress = options_.progress, .interrupted = [this] { return stop_asked().has_value(); }});
    if (!constants_) return false;
    for (MethodConfig& method : config_.methods) resolve_theory(method, *constants_);
    return true;
  }

  void tell_theory() const {
    if (!constants_) return;
    log_info(constants_line(*constants_));
    if (!constants_->converged) log_warning(unfinished_constants);
    write_output_file(directory_.path() / "constants.json", constants_file_text(*constants_));
    directory_.write_config(config_);
    const bool from_theory =
        std::ranges::any_of(config_.methods, [](const MethodConfig& m) { return !m.theory.empty(); });
    if (from_theory && constants_->values.mu < 0.0)
      log_warning("not every f_i is convex here, and most values from theory are those of convex theorems");
    for (const MethodConfig& method : config_.methods)
      for (const auto& [option, formula] : method.theory) {
        const auto used = std::ranges::find(method.settings, option, &Settings::value_type::first);
        log_info(fmt::format("{}: {} = {} from theory, {}", method.label, option, to_text(used->second), formula));
      }
  }

  // Some methods do not go with every number of clients: a graph may not fit. Stating what a round costs finds out.
  void check_methods() const {
    for (const MethodConfig& method : config_.methods)
      find_method(method.name).make(method.settings)->round_traffic(problem_.clients.size());
  }

  void run_method(const MethodConfig& method) {
    const std::filesystem::path folder = directory_.method_folder(method.label);
    MetricsFile metrics(folder, problem_.test != nullptr);
    Solo transport(problem_.clients.size());
    Federation fed(problem_.clients, transport, pool_, method.seed, std::make_unique<SeededChance>(method.seed));
    Progress progress(options_.progress, method.label, config_.stop);
    const auto sink = [&](const TraceRow& row) {
      metrics.add(row);
      progress.measured(row);
    };
    Trace trace(problem_.reference, sink, problem_.test);
    std::optional<Certificate> certificate;
    if (method.certificate) certificate.emplace(method, problem_.clients, *constants_, problem_.reference);
    DriveOptions drive_options{.stop = config_.stop,
                               .output = method.output,
                               .every = config_.output.every,
                               .interrupted = [&] { return stop_asked().has_value(); },
                               .on_round = [&](const TraceRow& row) { progress.show(row); },
                               .watch = {}};
    if (certificate)
      drive_options.watch = [&](Method& m, Federation& f, const Vector& x) { certificate->watch(m, f, x); };
    const std::unique_ptr<Method> made = find_method(method.name).make(method.settings);
    const DriveResult result = drive(*made, fed, problem_.start, drive_options, trace);
    if (certificate) certificate->finish(*made, fed, result.x, result.output);
    progress.clear();

    MethodOutcome outcome{.method = method,
                          .reason = result.reason,
                          .rows = trace.rows(),
                          .work = total_work(fed),
                          .output_traffic = result.output_traffic,
                          .scalars_up = fed.ledger().scalars_up,
                          .scalars_down = fed.ledger().scalars_down,
                          .certificate = {}};
    if (certificate) outcome.certificate = certificate->report();
    keep(folder, result, std::move(outcome));
  }

  void keep(const std::filesystem::path& folder, const DriveResult& result, MethodOutcome outcome) {
    write_npy(folder / "model.npy", result.x);
    if (outcome.method.output != OutputPoint::last) write_npy(folder / "output.npy", result.output);
    replay(options_.links,
           {.clients = problem_.clients.size(), .threads = record_.threads, .seed = outcome.method.seed}, outcome.rows);
    write_output_file(folder / "summary.json", summary_json(outcome, options_.links));
    write_certificate(outcome);
    tell(outcome);
    record_.outcomes.push_back(std::move(outcome));
    write_record();
  }

  void write_certificate(const MethodOutcome& outcome) const {
    if (outcome.certificate)
      write_output_file(directory_.path() / outcome.method.label / "certificate.json",
                        certificate_json(outcome, *constants_));
  }

  // Theorems that bound expectations have their verdicts once all seeds have run.
  void judge_certificates() {
    judge_over_seeds(record_.outcomes);
    for (const MethodOutcome& outcome : record_.outcomes) {
      write_certificate(outcome);
      if (!outcome.certificate || outcome.certificate->verdict() != Verdict::violated) continue;
      for (const TheoremReport& report : outcome.certificate->theorems)
        if (report.verdict == Verdict::violated) log_error(violation_of(outcome, report).what());
    }
  }

  Error violation_of(const MethodOutcome& outcome, const TheoremReport& report) const {
    const Error error(
        ExitCode::check_failed,
        {.what = fmt::format("method '{}' violates its theorem '{}'", outcome.method.label, report.theorem.name),
         .seen = fmt::format("{}; observed/bound is up to {}", report.theorem.statement, number(report.worst_ratio())),
         .advice =
             (constants_->exact
                  ? "the method, or the constants of the problem, are not what they are said to be; "
                  : "the constants are measured at " + constants_->at + " only and may be too small in between; ") +
             ("the rows are in " + (directory_.path() / outcome.method.label / "certificate.json").string())});
    return error;
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
    for (const MethodOutcome& outcome : record_.outcomes)
      if (outcome.certificate && outcome.certificate->verdict() == Verdict::violated) return ExitCode::check_failed;
    return ExitCode::done;
  }

  void finish(ExitCode code) {
    record_.exit_code = code;
    record_.end = utc_time();
    write_record();
  }

  void write_record() const { write_output_file(directory_.path() / "run.json", run_json(config_, problem_, record_)); }

  RunConfig config_;
  const ExperimentOptions& options_;
  RunDirectory directory_;
  ThreadPool pool_;
  Problem problem_;
  std::optional<ProblemConstants> constants_;  // where values from the theory or certificates need them
  RunRecord record_;
};

}  // namespace

Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options) {
  return Runner(config, options).run();
}

}  // namespace driftless
