// driftless inspect
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"
#include "driftless/experiments/inspection.hpp"

#include "apps/command_line.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct InspectRequest {
  std::string file;
  std::vector<std::string> overrides;  // key=value
  std::string at = "zero";             // zero | optimum | a .npy file
  std::string along;                   // a method; empty: none
  std::string out;                     // empty: nothing is written
  bool no_trials = false;
  Format format = Format::text;
};

ExitCode inspect(const InspectRequest& request) {
  RunConfig config = read_config(request.file, request.overrides);
  if (request.no_trials) config.inspect.trials = false;
  record_signals();
  const Inspection found = driftless::inspect(config, {.at = request.at,
                                                       .along = request.along,
                                                       .out = request.out,
                                                       .progress = progress_wanted(),
                                                       .stop_token = received_signal});
  if (found.interrupted) {
    log_warning("stopped before the constants were complete: nothing is written");
    return exit_code_of(received_signal());
  }
  fmt::print("{}", request.format == Format::json ? inspection_json(found) : inspection_text(found));
  return ExitCode::done;
}

}  // namespace

void declare_inspect(CLI::App& command, Action& action) {
  const auto request = std::make_shared<InspectRequest>();
  command
      .add_option("FILE", request->file,
                  "the configuration; the methods of its [[method]] tables are tried too, or 'auto' where it has none")
      ->required();
  command.add_option("-c", request->overrides, "set a key on top of the file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--at", request->at, "the point: zero (if not given), optimum, or a vector in a .npy file")
      ->type_name("zero|optimum|FILE.npy");
  command
      .add_option("--along", request->along,
                  "also along a run of this method, with the options of its [[method]] table or of its theory")
      ->type_name("METHOD");
  command
      .add_option("--out", request->out,
                  "write constants.json, predictions.json and trials.json there; it must be new or empty")
      ->type_name("DIR");
  command.add_flag("--no-trials", request->no_trials,
                   "try no methods; -c inspect.exchanges, .grad_evals and .seconds limit the trials");
  add_format(command, request->format);
  command.footer("Example:\n  driftless inspect examples/logistic.toml --at optimum --along gd");
  command.callback([&action, request] { action = [request] { return inspect(*request); }; });
}

}  // namespace driftless::app
