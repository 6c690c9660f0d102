// What a run prints at its end.
#pragma once

#include "driftless/console/log.hpp"
#include "driftless/experiments/experiment.hpp"
#include "driftless/results/link_table.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include "apps/commands.hpp"

#include <fmt/format.h>

namespace driftless::app {

// `again`: how a run that was interrupted goes on; `driftless resume` if not given.
inline void print_results(const Experiment& experiment, Format format, const std::string& again = "") {
  const ExitCode code = experiment.exit_code();
  if (code == ExitCode::interrupted || code == ExitCode::terminated)
    log_info("continue with: " + (again.empty() ? "driftless resume " + experiment.record.directory.string() : again));
  if (format == Format::json) return fmt::print("{}", results_json(experiment.problem, experiment.record));
  if (!experiment.record.outcomes.empty())
    fmt::print("{}{}\n", table_text(target_table(experiment.record.outcomes)),
               endings_text(experiment.record.outcomes));
  fmt::print("{}", link_tables_text(target_table(experiment.record.outcomes), experiment.record.links));
  if (const std::string checks = theorem_checks_text(experiment.record.outcomes); !checks.empty())
    fmt::print("{}\n", checks);
  fmt::print("results in {}\n", experiment.record.directory.string());
}

}  // namespace driftless::app
