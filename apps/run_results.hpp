// What the verbs that run a configuration share: the output of --dry-run, the output at the end of a run, and whether a
// directory holds a finished run.
#pragma once

#include "driftless/experiments/experiment.hpp"

#include "apps/command_line.hpp"

namespace driftless::app {

void print_configuration(const std::string& config, const std::string& hash, Format format);

// `again`: the command that continues an interrupted run; `driftless resume` if not given.
void print_results(const Experiment& experiment, Format format, const std::string& again = "");

// Whether every method has ended by itself and run.json records the end of the run.
bool run_is_finished(const std::filesystem::path& directory, const RunConfig& config);

}  // namespace driftless::app
