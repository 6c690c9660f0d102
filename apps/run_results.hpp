// What the commands that run a configuration have in common: what --dry-run prints, what the end of a run prints, and
// whether a directory holds a finished run.
#pragma once

#include "driftless/experiments/experiment.hpp"

#include "apps/command_line.hpp"

namespace driftless::app {

void print_configuration(const std::string& config, const std::string& hash, Format format);

// `again`: the command that continues an interrupted run; `driftless resume` if not given.
void print_results(const Experiment& experiment, Format format, const std::string& again = "");

// Every method has ended by itself, and the program that ran them has recorded so.
bool run_is_finished(const std::filesystem::path& directory, const RunConfig& config);

}  // namespace driftless::app
