#include "driftless/experiments/run_recorder.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/core/printable.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/files/npy.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/constants_json.hpp"
#include "driftless/results/link_model.hpp"
#include "driftless/results/saved_run.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace driftless {
namespace {

Error violation_of(const MethodOutcome& outcome, const TheoremReport& report, const ProblemConstants& constants,
                   const std::filesystem::path& file) {
  const Assumption* failed = report.failed();
  const std::string cause =
      failed != nullptr
          ? "its assumption " + failed->statement + " does not hold (" + failed->seen + "), and the check was forced"
      : constants.exact
          ? "the method, or the constants of the problem, are not what they are said to be"
          : "with bounds of the constants that are valid everywhere, so the method is not what it is said to be";
  return {
      ErrorKind::check_failed,
      {.what = fmt::format("method '{}' violates its theorem '{}'", outcome.method.label, report.theorem.name),
       .seen = fmt::format("{}; observed/bound is up to {}", report.theorem.statement, number(report.worst_ratio())),
       .advice = cause + "; the rows are in " + file.string()}};
}

constexpr const char* shorter_steps = "try a smaller step, or a larger eta or lambda";

Error divergence_of(const MethodOutcome& outcome, const std::filesystem::path& metrics) {
  const TraceRow& last = outcome.last();
  return {ErrorKind::run_failed,
          {.what = fmt::format("method '{}' diverged in round {}", outcome.method.label, last.round),
           .seen = fmt::format("f = {}, gradient norm = {}; at the start they were {} and {}", number(last.f),
                               number(last.grad_norm), number(outcome.first().f), number(outcome.first().grad_norm)),
           .advice = std::string(shorter_steps) + "; the metrics until then are in " + metrics.string()}};
}

// f is no finite number before the first step, at a start of moderate size: the data overflow, whatever the method.
bool overflows_at_start(const MethodOutcome& outcome, const Problem& problem) {
  constexpr double moderate = 1e100;
  const TraceRow& first = outcome.first();
  return !(std::isfinite(first.f) && std::isfinite(first.grad_norm)) &&
         problem.start.lpNorm<Eigen::Infinity>() <= moderate;
}

DataError overflow_of(const MethodOutcome& outcome, const Problem& problem) {
  const std::string largest = problem.largest ? fmt::format("; the largest feature is {} in column {}",
                                                            number(problem.largest->value), problem.largest->column)
                                              : "";
  return DataError({.what = "the data are too large for double precision: f or its gradient at the start is no finite "
                            "number",
                    .seen = fmt::format("f = {}, gradient norm = {} before the first round{}",
                                        number(outcome.first().f), number(outcome.first().grad_norm), largest),
                    .advice = "scale labels and features to about 1, or remove rows with such values"});
}

void warn_of_rise(const MethodOutcome& outcome) {
  const double first = outcome.first().f;
  const double last = outcome.last().f;
  if (last <= first + 1e-6 * std::max(1.0, std::abs(first))) return;
  log_warning(fmt::format("{}: f is {} at the end and was {} at the start; {}", outcome.method.label, number(last),
                          number(first), shorter_steps));
}

// Of a model of tables.
void warn_of_fit(const MethodOutcome& outcome) {
  if (!outcome.fit) return;
  constexpr double converged = 1e-4;
  if (outcome.last().grad_norm > converged * outcome.first().grad_norm)
    log_warning(fmt::format("{}: this is not the minimum: the gradient norm is {} and was {} at the start; {}",
                            outcome.method.label, number(outcome.last().grad_norm, 3),
                            number(outcome.first().grad_norm, 3),
                            "its coefficients and errors mean little; give it more rounds, or another method"));
  for (const std::string& warning : outcome.fit->warnings) log_warning(printable(warning, 2000));
}

void warn_of_step_limits(const MethodOutcome& outcome) {
  const auto& ends = outcome.work.ends;
  const std::uint64_t limited = ends[static_cast<std::size_t>(SolveEnd::step_limit)];
  if (limited == 0) return;
  const std::uint64_t solves = std::accumulate(ends.begin(), ends.end(), std::uint64_t{0});
  const double percent = 100.0 * static_cast<double>(limited) / static_cast<double>(solves);
  log_warning(fmt::format("{}: {} of {} local solves ({:.0f} %) ended at the step limit before their stop rule was "
                          "met; bring eta nearer to L, or raise tolerance or max_steps",
                          outcome.method.label, limited, solves, percent));
}

void log_outcome(const MethodOutcome& outcome, const Problem& problem, const std::filesystem::path& directory) {
  if (overflows_at_start(outcome, problem)) {
    log_error(overflow_of(outcome, problem).what());
  } else if (outcome.reason == StopReason::diverged) {
    log_error(divergence_of(outcome, directory / outcome.method.label / "metrics.csv").what());
  } else {
    log_info(fmt::format("{}: stopped after {} rounds ({}), {:.2f} s", outcome.method.label, outcome.last().round,
                         reason_text(outcome.reason), outcome.last().wall_s));
    warn_of_rise(outcome);
  }
  warn_of_step_limits(outcome);
  warn_of_fit(outcome);
}

}  // namespace

RunRecorder::RunRecorder(const RunConfig& config, const ExperimentOptions& options, const Problem& problem,
                         Transport& transport, std::size_t threads)
    : options_(options), problem_(problem), transport_(transport) {
  if (options.leaves_results) {
    directory_ = options.resume ? RunDirectory::existing(options.out)
                                : RunDirectory(config.output, canonical_text(config), options.out, durability());
    record_.directory = directory_->path();
    lock_.emplace(record_.directory);
  }
  record_.seed = config.seed;
  record_.methods_asked = config.methods.size();
  record_.threads = threads;
  record_.start = utc_time();
  record_.links = options.links;
  if (!options.resume) return;
  remove_drafts(record_.directory);
  record_.start = first_start(record_.directory).value_or(record_.start);
}

void RunRecorder::identify(const RunConfig& config) {
  record_.digest = digest_of_run(config, problem_, options_.run);
  if (options_.resume) require_same_run(record_.directory, record_.digest);
}

void RunRecorder::start(const RunConfig& config, const std::optional<ProblemConstants>& constants) {
  if (directory_ && options_.resume) directory_->write_config(canonical_text(config));
  if (constants) {
    write("constants.json", constants_file_text(*constants), durability());
    if (directory_) directory_->write_config(canonical_text(config));  // now with numbers instead of "theory"
  }
  if (!problem_.split_manifest.empty()) write("split.json", problem_.split_manifest, durability());
  record_.config_hash = short_hash(config);
  write_record();
}

void RunRecorder::discard() const noexcept {
  if (directory_) directory_->discard();
}

bool RunRecorder::take_finished(const MethodConfig& method) {
  if (!options_.resume) return false;
  const std::filesystem::path folder = directory_->method_folder(method.label);
  remove_drafts(folder);
  std::optional<MethodOutcome> outcome = finished_outcome(folder, method, record_.digest);
  if (!outcome) return false;
  log_info(method.label + ": finished before");
  SavedRun::remove(folder);
  transport_.continue_at(outcome->position);
  if (Checkpointing* shared = transport_.checkpointing()) shared->on_checkpoint();
  record_.outcomes.push_back(std::move(*outcome));
  return true;
}

std::filesystem::path RunRecorder::method_folder(const std::string& label) const {
  return directory_ ? directory_->method_folder(label) : "";
}

StateOwner RunRecorder::owner_of(const std::string& label) const {
  return {record_.digest, transport_.layout().clients, transport_.layout().hosted, label};
}

void RunRecorder::add(MethodOutcome outcome, const DriveResult& result,
                      const std::optional<ProblemConstants>& constants) {
  if (directory_) {
    const std::filesystem::path folder = directory_->path() / outcome.method.label;
    write_npy(folder / "model.npy", result.x);
    if (outcome.method.output != OutputPoint::last) write_npy(folder / "output.npy", result.output);
  }
  if (outcome.fit)
    for (const auto& [name, text] : outcome.fit->files) write(outcome.method.label + "/" + name, text, durability());
  replay(options_.links, {.clients = problem_.n, .threads = record_.threads, .seed = outcome.method.seed},
         outcome.rows);
  if (outcome.reason != StopReason::interrupted) make_lasting(outcome);
  else
    write(outcome.method.label + "/summary.json", summary_json(outcome, options_.links, record_.digest), durability());
  write_theorem_check(outcome, constants);
  if (outcome.reason != StopReason::interrupted) {
    if (directory_) SavedRun::remove(directory_->path() / outcome.method.label);
    if (Checkpointing* shared = transport_.checkpointing()) shared->on_checkpoint();
  }
  log_outcome(outcome, problem_, record_.directory);
  record_.outcomes.push_back(std::move(outcome));
  write_record();
}

// The summary marks a method as finished, also after a restart, and replaces its checkpoint. So the other files and the
// summary must be on the disk before the checkpoint is removed.
void RunRecorder::make_lasting(const MethodOutcome& outcome) const {
  if (Checkpointing* shared = transport_.checkpointing()) shared->secure_past(true);
  Durability lasting = durability();
  if (directory_) {
    const std::filesystem::path folder = directory_->path() / outcome.method.label;
    if (transport_.layout().peers > 1 || SavedRun::exists(folder)) {
      sync_folder(folder);
      lasting = Durability::synced;
    }
  }
  write(outcome.method.label + "/summary.json", summary_json(outcome, options_.links, record_.digest), lasting);
}

void RunRecorder::write_theorem_check(const MethodOutcome& outcome,
                                      const std::optional<ProblemConstants>& constants) const {
  if (outcome.certificate)
    write(outcome.method.label + "/certificate.json", theorem_check_json(outcome, *constants), durability());
}

void RunRecorder::judge_theorems(const std::optional<ProblemConstants>& constants) {
  judge_over_seeds(record_.outcomes);
  for (const MethodOutcome& outcome : record_.outcomes) {
    write_theorem_check(outcome, constants);
    if (!outcome.certificate || outcome.certificate->verdict() != Verdict::violated) continue;
    const std::filesystem::path file = record_.directory / outcome.method.label / "certificate.json";
    for (const TheoremReport& report : outcome.certificate->theorems)
      if (report.verdict == Verdict::violated) log_error(violation_of(outcome, report, *constants, file).what());
  }
}

std::optional<ErrorKind> RunRecorder::failure() const {
  const auto any = [&](const auto& has_failed) { return std::ranges::any_of(record_.outcomes, has_failed); };
  if (any([&](const MethodOutcome& outcome) { return overflows_at_start(outcome, problem_); })) return ErrorKind::data;
  if (any([](const MethodOutcome& outcome) { return outcome.reason == StopReason::diverged; }))
    return ErrorKind::run_failed;
  if (any([](const MethodOutcome& outcome) {
        return outcome.certificate && outcome.certificate->verdict() == Verdict::violated;
      }))
    return ErrorKind::check_failed;
  return std::nullopt;
}

void RunRecorder::finish(std::optional<ErrorKind> failure) {
  if (options_.exit_code) record_.exit_code = options_.exit_code(failure);
  record_.end = utc_time();
  write_record();
}

// Other peers rely on the files of a peer, so these must survive a loss of power from the beginning. A run in one
// process writes its files to the disk with its first checkpoint: most runs end sooner, and syncing takes milliseconds.
Durability RunRecorder::durability() const {
  return transport_.layout().peers > 1 ? Durability::synced : Durability::written;
}

void RunRecorder::write(const std::string& name, const std::string& text, Durability durability) const {
  if (directory_) write_output_file(directory_->path() / name, text, durability);
}

void RunRecorder::write_record() const { write("run.json", run_json(problem_, record_), durability()); }

}  // namespace driftless
