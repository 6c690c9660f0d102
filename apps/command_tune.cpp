// driftless tune
#include "driftless/files/digest.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/tuning/tuning.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include "apps/commands.hpp"
#include "apps/print_plan.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

void print_result(const TuningResult& result, Format format) {
  if (format == Format::json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(tuning_json(result));
    json["directory"] = result.directory.string();
    json["complete"] = !result.interrupted.has_value();
    fmt::print("{}\n", json.dump(2));
    return;
  }
  if (!result.trials.empty()) fmt::print("{}\n", tuning_text(result));
  fmt::print("results in {}\n", result.directory.string());
}

}  // namespace

ExitCode tune(const TuneRequest& request) {
  const TuneConfig config = read_tune_config(request.file, request.overrides);
  if (request.dry_run) {
    const std::string plan = canonical_text(config);
    print_plan(plan, short_hash(plan), request.format);
    return ExitCode::done;
  }
  remember_signals();
  const bool resume = !request.resume.empty();
  const TuningResult result = driftless::tune(config, {.out = resume ? request.resume : request.out,
                                                       .must_exist = resume,
                                                       .progress = progress_wanted(),
                                                       .asked_to_stop = signal_seen});
  if (result.interrupted && result.planned == 0) {
    log_warning("stopped before the first trial: nothing is written");
    return *result.interrupted;
  }
  print_result(result, request.format);
  if (!result.interrupted) return ExitCode::done;
  log_warning(fmt::format("{} of {} trials are finished; continue with --resume {}", result.trials.size(),
                          result.planned, result.directory.string()));
  return *result.interrupted;
}

}  // namespace driftless::app
