// What the verbs that run a configuration share: the output of --dry-run, and the output at the end of a run.
#pragma once

#include "driftless/experiments/experiment.hpp"

#include "apps/command_line.hpp"

namespace driftless::app {

void print_configuration(const std::string& config, const std::string& hash, Format format);

void print_results(const Experiment& experiment, Format format);
// For the operators of a server or a site, who compare no methods: where the model is and what it cost.
void print_peer_results(const Experiment& experiment, Format format);

}  // namespace driftless::app
