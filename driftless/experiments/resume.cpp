#include "driftless/experiments/resume.hpp"

#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/files/input_file.hpp"
#include "driftless/files/output_file.hpp"
#include "driftless/problems/make_problem.hpp"
#include "driftless/results/decision_json.hpp"
#include "driftless/results/metrics_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Reads a file of the run directory: nothing where it does not exist or, after a loss of power, is empty; DataError
// where it is damaged.
template <class Read>
auto read_own(const fs::path& file, Read&& read) -> decltype(read(Json())) {
  std::error_code ignored;
  if (!fs::exists(file, ignored) || fs::is_empty(file, ignored)) return {};
  try {
    return read(Json::parse(read_input_file(file)));
  } catch (const Json::exception& error) {
    throw DataError({.what = "a file of the run directory is damaged",
                     .seen = file.string() + ": " + error.what(),
                     .advice = "remove it: its content will be computed again"});
  }
}

template <class Enum>
Enum named(const std::string& name) {
  const auto& names = EnumNames<Enum>::value;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw Json::other_error::create(501, "unknown name '" + name + "'", nullptr);
  return static_cast<Enum>(found - names.begin());
}

bool ended_by_itself(const Json& summary) {
  return named<StopReason>(summary.at("stop_reason").get<std::string>()) != StopReason::interrupted;
}

// A summary without the digest was written by another version. Then a change of the metrics cannot be detected, so they
// are not used.
void require_same_metrics(const fs::path& folder, const Json& summary) {
  if (!summary.contains("metrics_sha256"))
    throw DataError({.what = "the method was finished by another version of the program",
                     .seen = (folder / "summary.json").string() + " has no metrics_sha256",
                     .advice = "resume with the version that started the run; or remove this file to run the method "
                               "again from its start"});
  if (digest_of_metrics(folder / "metrics.csv") == summary.at("metrics_sha256").get<std::string>()) return;
  throw DataError(
      {.what = "the metrics of a finished method are not those that it wrote",
       .seen = (folder / "metrics.csv").string() + ": its digest is not the one in summary.json",
       .advice = "restore the file; or remove summary.json beside it to run the method again from its start"});
}

Position position_of(const Json& summary) {
  Position position{.next = summary.at("totals").at("collectives")};
  if (!summary.contains("position")) return position;
  const Json& stored = summary.at("position");
  position.history = {.high = stored.at("history").at(0), .low = stored.at("history").at(1)};
  position.absent = stored.at("absent").get<std::vector<ClientId>>();
  return position;
}

void require_own_summary(const fs::path& file, const Json& summary, const std::string& run_digest) {
  if (summary.at("run_digest").get<std::string>() == run_digest) return;
  throw DataError({.what = "the summary of a finished method belongs to another run",
                   .seen = file.string(),
                   .advice = "restore the file that this run wrote; or remove it to run the method again from its "
                             "start"});
}

MethodOutcome outcome_of(const Json& summary, const MethodConfig& method, std::vector<TraceRow> rows) {
  const Json& totals = summary.at("totals");
  MethodOutcome outcome{.method = method,
                        .reason = named<StopReason>(summary.at("stop_reason").get<std::string>()),
                        .rows = std::move(rows),
                        .work = {.steps = totals.at("local_steps"), .gradients = totals.at("grad_evals")},
                        .output_traffic = {.exchanges = totals.at("output_point").at("exchanges"),
                                           .up = totals.at("output_point").at("vectors_up"),
                                           .down = totals.at("output_point").at("vectors_down")},
                        .scalars_up = totals.at("scalars_up"),
                        .scalars_down = totals.at("scalars_down"),
                        .position = position_of(summary),
                        .certificate = {},
                        .decision = read_decision(summary)};
  for (const auto& [name, count] : summary.at("local_solves").items())
    outcome.work.ends[static_cast<std::size_t>(named<SolveEnd>(name))] = count;
  return outcome;
}

}  // namespace

std::string digest_of_run(RunConfig config, const Problem& problem, const std::string& run) {
  config.federation.threads = 0;
  config.output = {.name = "any", .every = config.output.every};
  for (MethodConfig& method : config.methods) method.title.clear();
  return digest_of(canonical_text(config, Formulas::hidden) + run, problem);
}

void require_same_run(const fs::path& directory, const std::string& digest) {
  const auto recorded = read_own(directory / "run.json",
                                 [](const Json& run) { return std::optional(run.at("digest").get<std::string>()); });
  if (!recorded || recorded->empty() || *recorded == digest) return;
  throw DataError({.what = "the directory holds the run of another configuration",
                   .seen = directory.string() + ": options, data or program version are not those of its run.json",
                   .advice = "restore what it was started with, or run the configuration in a new directory"});
}

std::optional<int> recorded_exit_code(const fs::path& directory) {
  return read_own(directory / "run.json", [](const Json& run) {
    const Json& code = run.at("exit_code");
    return code.is_null() ? std::nullopt : std::optional(code.get<int>());
  });
}

bool methods_are_finished(const fs::path& directory, const RunConfig& config) {
  return std::ranges::all_of(config.methods, [&](const MethodConfig& method) {
    return read_own(directory / method.label / "summary.json", ended_by_itself);
  });
}

bool run_is_finished(const fs::path& directory, const RunConfig& config, const ExitCodeMap& exit_code) {
  if (exit_code) {
    const std::optional<int> recorded = recorded_exit_code(directory);
    const auto ended_by = [&](ErrorKind signal) { return *recorded == exit_code(signal); };
    if (!recorded || ended_by(ErrorKind::interrupted) || ended_by(ErrorKind::terminated)) return false;
  }
  return methods_are_finished(directory, config);
}

std::optional<MethodOutcome> finished_outcome(const fs::path& folder, const MethodConfig& method,
                                              const std::string& run_digest) {
  if (method.certificate) return std::nullopt;
  return read_own(folder / "summary.json", [&](const Json& summary) -> std::optional<MethodOutcome> {
    if (!ended_by_itself(summary)) return std::nullopt;
    require_same_metrics(folder, summary);
    require_own_summary(folder / "summary.json", summary, run_digest);
    return outcome_of(summary, method, read_metrics(folder / "metrics.csv"));
  });
}

std::optional<std::string> first_start(const fs::path& directory) {
  return read_own(directory / "run.json",
                  [](const Json& run) { return std::optional(run.at("start").get<std::string>()); });
}

void remove_drafts(const fs::path& folder) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (is_draft(entry.path())) fs::remove(entry.path(), ignored);
}

}  // namespace driftless
