// driftless compare
#include "driftless/experiments/comparison.hpp"
#include "driftless/console/progress.hpp"

#include "apps/commands.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {

ExitCode compare(const CompareRequest& request) {
  for (const std::string& name : request.methods) find_method(name);  // before anything is made
  std::vector<RunConfig> configs;
  for (const std::string& file : request.files)
    configs.push_back(read_config(file, request.overrides, MethodTables::optional));

  remember_signals();
  std::vector<Comparison> comparisons;
  for (const RunConfig& config : configs) {
    comparisons.push_back(compare_methods(
        config, {.methods = request.methods, .progress = progress_wanted(), .asked_to_stop = signal_seen}));
    if (request.layout == CompareRequest::Layout::text) fmt::print("{}\n", comparison_text(comparisons.back()));
    if (request.layout == CompareRequest::Layout::markdown) fmt::print("{}\n", comparison_markdown(comparisons.back()));
    if (comparisons.back().interrupted) break;
  }
  if (request.layout == CompareRequest::Layout::json) fmt::print("{}", comparison_json(comparisons));
  return signal_seen().value_or(ExitCode::done);
}

}  // namespace driftless::app
