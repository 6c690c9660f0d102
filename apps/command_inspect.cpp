// driftless inspect
#include "driftless/experiments/inspection.hpp"
#include "driftless/console/log.hpp"
#include "driftless/console/progress.hpp"

#include "apps/commands.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {

ExitCode inspect(const InspectRequest& request) {
  const RunConfig config = read_config(request.file, request.overrides, MethodTables::optional);
  remember_signals();
  const Inspection found = driftless::inspect(config, {.at = request.at,
                                                       .along = request.along,
                                                       .out = request.out,
                                                       .progress = progress_wanted(),
                                                       .asked_to_stop = signal_seen});
  if (found.interrupted) {
    log_warning("stopped before the constants were complete: nothing is written");
    return signal_seen().value_or(ExitCode::interrupted);
  }
  fmt::print("{}", request.format == Format::json ? inspection_json(found) : inspection_text(found));
  return ExitCode::done;
}

}  // namespace driftless::app
