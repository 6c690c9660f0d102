// driftless tune
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/tuning/tuning.hpp"
#include "driftless/tuning/tuning_report.hpp"

#include "apps/run_results.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

struct TuneRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string out;
  std::string resume;  // the directory of an unfinished search; instead of `out`
  bool dry_run = false;
  Format format = Format::text;
};

void print_result(const TuningResult& result, Format format) {
  if (format == Format::json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(tuning_json(result));
    json["directory"] = result.directory.string();
    json["complete"] = !result.interrupted();
    fmt::print("{}\n", json.dump(2));
    return;
  }
  if (!result.trials.empty()) fmt::print("{}\n", tuning_text(result));
  fmt::print("results in {}\n", result.directory.string());
}

ExitCode tune(const TuneRequest& request) {
  const TuneConfig config = read_tune_config(request.file, request.overrides);
  if (request.dry_run) {
    const std::string plan = canonical_text(config);
    print_configuration(plan, short_hash(plan), request.format);
    return ExitCode::done;
  }
  record_signals();
  const bool resume = !request.resume.empty();
  const TuningResult result = driftless::tune(config, {.out = resume ? request.resume : request.out,
                                                       .must_exist = resume,
                                                       .progress = progress_wanted(),
                                                       .stop_token = received_signal});
  if (result.interrupted() && result.planned == 0) {
    log_warning("stopped before the first trial: nothing is written");
    return exit_code_of(result.stopped);
  }
  print_result(result, request.format);
  if (!result.interrupted()) return ExitCode::done;
  log_warning(fmt::format("{} of {} trials are finished; continue with --resume {}", result.trials.size(),
                          result.planned, result.directory.string()));
  return exit_code_of(result.stopped);
}

}  // namespace

void declare_tune(CLI::App& command, Action& action) {
  const auto request = std::make_shared<TuneRequest>();
  command.add_option("FILE", request->file, "the configuration, a TOML file with [method.search] and [tune]")
      ->required();
  command.add_option("-c", request->overrides, "set a key on top of the file: tune.trials=20, tune.budget.rounds=100")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  CLI::Option* out =
      command.add_option("--out", request->out, "exactly this directory; new, empty, or that of the same search")
          ->type_name("DIR");
  command.add_option("--resume", request->resume, "continue the search that this directory holds")
      ->type_name("DIR")
      ->excludes(out);
  command.add_flag("--dry-run", request->dry_run, "print the resolved configuration and stop");
  add_format(command, request->format);
  command.footer("Example:\n  driftless tune examples/tune/synthetic.toml --out search");
  command.callback([&action, request] { action = [request] { return tune(*request); }; });
}

}  // namespace driftless::app
