#include "apps/run_results.hpp"

#include "driftless/console/log.hpp"
#include "driftless/console/text_table.hpp"
#include "driftless/results/link_table.hpp"
#include "driftless/results/target_table.hpp"
#include "driftless/results/theorem_check_writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace driftless::app {
namespace {

void print_fits(const Experiment& experiment) {
  for (const MethodOutcome& outcome : experiment.record.outcomes) {
    if (!outcome.fit) continue;
    const std::filesystem::path folder = experiment.record.directory / outcome.method.label;
    fmt::print("{}\n\nModel in {}; 'driftless summary {}' shows its coefficients\n\n", outcome.fit->text,
               (folder / "model.json").string(), folder.string());
  }
}

// One method that fitted a model is no comparison: its costs to several targets say little.
bool is_one_fit(const std::vector<MethodOutcome>& outcomes) {
  return outcomes.size() == 1 && outcomes.front().fit.has_value();
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
  const std::vector<MethodOutcome>& outcomes = experiment.record.outcomes;
  if (!outcomes.empty()) {
    if (!is_one_fit(outcomes)) fmt::print("{}", table_text(target_table(outcomes)));
    fmt::print("{}\n", endings_text(outcomes));
  }
  fmt::print("{}", link_tables_text(target_table(outcomes), experiment.record.links));
  print_fits(experiment);
  if (const std::string checks = theorem_checks_text(outcomes); !checks.empty()) fmt::print("{}\n", checks);
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
    if (!outcome.fit)
      fmt::print("  model: {}\n", (experiment.record.directory / outcome.method.label / "model.npy").string());
  }
  print_fits(experiment);
  fmt::print("everything else is in {}; 'driftless report' shows it\n", experiment.record.directory.string());
}

}  // namespace driftless::app
