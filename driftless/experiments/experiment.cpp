#include "driftless/experiments/experiment.hpp"

#include "driftless/config/theory_settings.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/experiments/run_progress.hpp"
#include "driftless/federation/in_process_transport.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/results/directory_lock.hpp"
#include "driftless/results/link_model.hpp"
#include "driftless/results/metrics_file.hpp"
#include "driftless/results/run_directory.hpp"
#include "driftless/results/saved_run.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

namespace driftless {
namespace {

class Runner {
 public:
  Runner(const RunConfig& config, const ExperimentOptions& options)
      : config_(config),
        options_(options),
        solo_(config.clients()),
        transport_(options.transport != nullptr ? *options.transport : solo_),
        pool_(config.federation.threads != 0 ? config.federation.threads : options.threads) {
    if (options.leaves_results) open_directory();
    record_.seed = config.seed;
    record_.problem_kind = config.problem.kind;
    record_.methods_asked = config.methods.size();
    record_.threads = pool_.size();
    record_.start = utc_time();
    record_.links = options.links;
    if (!options.resume) return;
    remove_drafts(record_.directory);
    record_.start = first_start(record_.directory).value_or(record_.start);
  }

  Experiment run() {
    make_problem_or_discard();
    if (options_.on_start) options_.on_start(record_.directory);
    try {
      for (const MethodConfig& method : config_.methods)
        if (!stop_asked() && !finished_before(method)) run_method(method);
      judge_certificates();
    } catch (const Error& error) {
      transport_.abort(error.trouble().what);
      finish(error.code());
      throw;
    }
    finish(exit_code());
    return {std::move(config_), std::move(problem_), std::move(record_)};
  }

 private:
  void open_directory() {
    directory_ = options_.resume ? RunDirectory::existing(options_.out)
                                 : RunDirectory(config_.output, canonical_text(config_), options_.out, durability());
    record_.directory = directory_->path();
    lock_.emplace(record_.directory);
  }

  void broadcast_stop() const {
    if (transport_.layout().rank != 0 || transport_.agreement().signal != StopSignal::none) return;
    const auto code = options_.asked_to_stop ? options_.asked_to_stop() : std::nullopt;
    if (code) transport_.broadcast(*code == ExitCode::terminated ? StopSignal::terminated : StopSignal::interrupted);
  }
  std::optional<ExitCode> stop_asked() const {
    const std::scoped_lock lock(asking_);
    broadcast_stop();
    switch (transport_.agreement().signal) {
      case StopSignal::interrupted: return ExitCode::interrupted;
      case StopSignal::terminated: return ExitCode::terminated;
      case StopSignal::none:
      case StopSignal::time_over: break;
    }
    return std::nullopt;
  }
  // Peers have clocks of their own, so that of rank 0 counts.
  StopReason ended_from_outside() const {
    if (stop_asked()) return StopReason::interrupted;
    return transport_.agreement().signal == StopSignal::time_over ? StopReason::seconds : StopReason::none;
  }
  bool several_peers() const { return transport_.layout().peers > 1; }
  void watch_clock(const TraceRow& row) const {
    const bool over = config_.stop.seconds && row.wall_s >= *config_.stop.seconds;
    if (several_peers() && over && transport_.layout().rank == 0 && transport_.agreement().signal == StopSignal::none)
      transport_.broadcast(StopSignal::time_over);
  }

  bool finished_before(const MethodConfig& method) {
    if (!options_.resume) return false;
    const std::filesystem::path folder = directory_->method_folder(method.label);
    remove_drafts(folder);
    std::optional<MethodOutcome> outcome = finished_outcome(folder, method, record_.digest);
    if (!outcome) return false;
    log_info(method.label + ": finished before");
    SavedRun::remove(folder);
    transport_.continue_at(outcome->position);
    transport_.saved();
    record_.outcomes.push_back(std::move(*outcome));
    return true;
  }

  void make_problem_or_discard() {
    try {
      problem_ = make_problem(config_, transport_, pool_, options_.own);
      refuse_certificates_of_parts();
      if (!constants_asked() || find_constants()) check_methods();
    } catch (const std::exception& error) {
      const auto* known = dynamic_cast<const Error*>(&error);
      transport_.abort(known != nullptr ? known->trouble().what : error.what());
      if (directory_) directory_->discard();
      throw;
    }
    transport_.set_up();
    if (directory_ && options_.resume) directory_->write_config(canonical_text(config_));
    log_info(problem_.summary);
    tell_theory();
    if (!problem_.reference && config_.problem.may_have_reference())
      log_warning("the optimum was not found, so gaps and distances are left out");
    if (!problem_.split_manifest.empty()) write("split.json", problem_.split_manifest);
    write_record();
  }

  // Theorems are checked on the functions of all clients.
  void refuse_certificates_of_parts() const {
    const auto certified = std::ranges::find_if(config_.methods, &MethodConfig::certificate);
    if (!several_peers() || certified == config_.methods.end()) return;
    throw ConfigError(
        {.what = "a certificate needs all clients in one process",
         .seen = certified->label + ": certificate = true, " + std::to_string(transport_.layout().peers) + " peers",
         .advice = "leave 'certificate' out, or use 'driftless run' without --transport"});
  }

  bool constants_asked() const {
    return asks_for_theory(config_.methods) || std::ranges::any_of(config_.methods, &MethodConfig::certificate);
  }

  // False where it was asked to stop on the way: then no method will run, and the configuration stays as it was given.
  bool find_constants() {
    constants_ =
        problem_constants(problem_, transport_, pool_,
                          {.progress = options_.progress, .interrupted = [this] { return stop_asked().has_value(); }});
    if (!constants_) return false;
    for (MethodConfig& method : config_.methods)
      resolve_theory(method, constants_->values, constants_->exact ? "" : origin_of(*constants_));
    return true;
  }

  void tell_theory() const {
    if (!constants_) return;
    log_info(constants_line(*constants_));
    if (!constants_->converged) log_warning(unfinished_constants);
    write("constants.json", constants_file_text(*constants_));
    if (directory_) directory_->write_config(canonical_text(config_));
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

  // Some methods do not go with every number of clients: a graph may not fit. Stating what a round costs finds out. A
  // run that goes on must be the one that began.
  void check_methods() {
    for (const MethodConfig& method : config_.methods)
      find_method(method.name).make(method.settings)->round_traffic(problem_.n);
    record_.digest = digest_of_run(config_, problem_, options_.run);
    if (options_.resume) require_same_run(record_.directory, record_.digest);
  }

  void run_method(const MethodConfig& method) {
    const std::filesystem::path folder = directory_ ? directory_->method_folder(method.label) : "";
    const StateOwner owner{record_.digest, transport_.layout().clients, transport_.layout().hosted, method.label};
    std::optional<SavedRun> saved;
    if (options_.resume && !method.certificate && SavedRun::exists(folder)) saved.emplace(folder, owner);
    std::optional<MetricsFile> metrics;
    const bool tested = problem_.test != nullptr;
    if (saved) metrics = MetricsFile::continuing(folder, saved->rows(), tested);
    else if (directory_) metrics.emplace(folder, tested);
    Federation fed(problem_.clients, problem_.dim(), transport_, pool_, method.seed,
                   std::make_unique<SeededChance>(method.seed));
    Progress progress(options_.progress, method.label, config_.stop);
    const auto sink = [&](const TraceRow& row) {
      if (metrics) metrics->add(row);
      progress.measured(row);
    };
    Trace trace(problem_.reference, sink, problem_.test);
    std::optional<TheoremCheck> certificate;
    if (method.certificate)
      certificate.emplace(find_method(method.name), method.settings,
                          TheoremFacts{constants_->values, problem_.reference, method.output}, problem_.clients);
    StopConditions stop = config_.stop;
    if (several_peers()) stop.seconds.reset();
    DriveOptions drive_options{.stop = stop,
                               .output = method.output,
                               .every = config_.output.every,
                               .ended = [&] { return ended_from_outside(); },
                               .on_round =
                                   [&](const TraceRow& row) {
                                     progress.show(row);
                                     watch_clock(row);
                                     if (options_.on_round) options_.on_round(method.label, row);
                                   },
                               .watch = {},
                               .restore = {},
                               .at_border = {}};
    std::optional<RunSaver> saver;
    if (metrics && !certificate && options_.saves)
      saver.emplace(folder, owner, config_.output.save_seconds, *metrics, [this] { directory_->sync(); });
    if (certificate)
      drive_options.watch = [&](Method& m, Federation& f, const Vector& x) { certificate->watch(m, f, x); };
    if (saver)
      drive_options.at_border = [&](RoundBorder& border, bool leaving) {
        saver->at_border(border, leaving);
        if (leaving) transport_.leaving();
      };
    if (saved) drive_options.restore = [&](RoundBorder& border) { put_back(method.label, *saved, border, progress); };
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
                          .position = {},
                          .certificate = {}};
    if (certificate) outcome.certificate = certificate->report();
    outcome.position = transport_.position();
    keep(folder, result, std::move(outcome));
  }

  static void put_back(const std::string& label, SavedRun& saved, RoundBorder& border, Progress& progress) {
    for (const TraceRow& row : saved.rows()) progress.measured(row);
    saved.restore(border);
    log_info(fmt::format("{}: continues after round {}", label, border.fed.ledger().rounds));
  }

  void keep(const std::filesystem::path& folder, const DriveResult& result, MethodOutcome outcome) {
    if (directory_) {
      write_npy(folder / "model.npy", result.x);
      if (outcome.method.output != OutputPoint::last) write_npy(folder / "output.npy", result.output);
    }
    replay(options_.links, {.clients = problem_.n, .threads = record_.threads, .seed = outcome.method.seed},
           outcome.rows);
    // From the summary on the method counts as finished, also after a restart.
    const bool finished = outcome.reason != StopReason::interrupted;
    if (finished) transport_.secure_past(true);
    // The summary vouches for the other files, and replaces the checkpoint.
    const bool lasting = finished && directory_ && (several_peers() || SavedRun::exists(folder));
    if (lasting) sync_folder(folder);
    write(outcome.method.label + "/summary.json", summary_json(outcome, options_.links, record_.digest),
          lasting ? Durability::synced : durability());
    write_certificate(outcome);
    if (finished) {
      if (directory_) SavedRun::remove(folder);
      transport_.saved();
    }
    tell(outcome);
    record_.outcomes.push_back(std::move(outcome));
    write_record();
  }

  void write_certificate(const MethodOutcome& outcome) const {
    if (outcome.certificate)
      write(outcome.method.label + "/certificate.json", theorem_check_json(outcome, *constants_));
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
             ("the rows are in " + (record_.directory / outcome.method.label / "certificate.json").string())});
    return error;
  }

  static Tally total_work(const Federation& fed) {
    Tally total = fed.busiest();
    total.ends = {};
    for (const Tally& client : fed.tallies())
      for (std::size_t end = 0; end < total.ends.size(); ++end) total.ends[end] += client.ends[end];
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
                                   (record_.directory / outcome.method.label / "metrics.csv").string()});
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

  void write(const std::string& name, const std::string& text) const { write(name, text, durability()); }
  void write(const std::string& name, const std::string& text, Durability durability) const {
    if (directory_) write_output_file(directory_->path() / name, text, durability);
  }
  // A peer of several is relied on by the others, so what it has written survives a loss of power at once. A run in one
  // process brings its files to the disk with its first checkpoint: most end sooner, and syncing takes milliseconds.
  Durability durability() const { return several_peers() ? Durability::synced : Durability::written; }
  void write_record() {
    record_.config_hash = short_hash(config_);
    write("run.json", run_json(problem_, record_));
  }

  RunConfig config_;
  const ExperimentOptions& options_;
  Solo solo_;
  Transport& transport_;
  std::optional<RunDirectory> directory_;
  std::optional<DirectoryLock> lock_;
  ThreadPool pool_;
  mutable std::mutex asking_;  // whether to stop: the clients' threads ask too, while they measure constants
  Problem problem_;
  std::optional<ProblemConstants> constants_;  // where values from the theory or certificates need them
  RunRecord record_;
};

}  // namespace

Experiment run_experiment(const RunConfig& config, const ExperimentOptions& options) {
  return Runner(config, options).run();
}

}  // namespace driftless
