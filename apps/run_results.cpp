#include "apps/run_results.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/experiments/resume.hpp"
#include "driftless/results/link_table.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

const char* model_file(const MethodOutcome& outcome) { return outcome.fit ? "model.json" : "model.npy"; }

void print_fits(const Experiment& experiment) {
  for (const MethodOutcome& outcome : experiment.record.outcomes)
    if (outcome.fit) fmt::print("{}\n{}\n", outcome.method.label, outcome.fit->text);
}

}  // namespace

void print_configuration(const std::string& config, const std::string& hash, Format format) {
  if (format == Format::text) fmt::print("{}", config);
  else fmt::print("{}\n", nlohmann::ordered_json{{"config_hash", hash}, {"config", config}}.dump(2));
}

void print_results(const Experiment& experiment, Format format) {
  if (is_of_signal(exit_number_of(experiment.failure)))
    log_info("continue with: driftless resume " + experiment.record.directory.string());
  if (format == Format::json) return fmt::print("{}", results_json(experiment.problem, experiment.record));
  if (!experiment.record.outcomes.empty())
    fmt::print("{}{}\n", table_text(target_table(experiment.record.outcomes)),
               endings_text(experiment.record.outcomes));
  fmt::print("{}", link_tables_text(target_table(experiment.record.outcomes), experiment.record.links));
  print_fits(experiment);
  if (const std::string checks = theorem_checks_text(experiment.record.outcomes); !checks.empty())
    fmt::print("{}\n", checks);
  fmt::print("results in {}\n", experiment.record.directory.string());
}

void print_peer_results(const Experiment& experiment, Format format) {
  if (is_of_signal(exit_number_of(experiment.failure)))
    log_info("continue with: the same command, at the server and at every site");
  if (format == Format::json) return fmt::print("{}", results_json(experiment.problem, experiment.record));
  for (const MethodOutcome& outcome : experiment.record.outcomes) {
    const TraceRow& last = outcome.last();
    fmt::print("{}: stopped after {} rounds ({}), {} exchanges, {} in both directions, {:.2f} s\n",
               outcome.method.label, last.round, reason_text(outcome.reason), last.exchanges,
               bytes_text(static_cast<double>(last.bytes_up + last.bytes_down)), last.wall_s);
    fmt::print("  f = {:.6g}, gradient norm = {:.3g}\n", last.f, last.grad_norm);
    fmt::print("  model: {}\n", (experiment.record.directory / outcome.method.label / model_file(outcome)).string());
  }
  print_fits(experiment);
  fmt::print("everything else is in {}; 'driftless report' shows it\n", experiment.record.directory.string());
}

bool run_is_finished(const std::filesystem::path& directory, const RunConfig& config) {
  const std::optional<int> recorded = recorded_exit_code(directory);
  return recorded && !is_of_signal(*recorded) && methods_are_finished(directory, config);
}

}  // namespace driftless::app
