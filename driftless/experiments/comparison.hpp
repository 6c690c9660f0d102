// Many methods on one problem, each with the parameters of its theory: the cost until the gap is a given fraction of
// the first one, and what is left where that is not reached.
#pragma once

#include "driftless/console/text_table.hpp"
#include "driftless/experiments/method_trial.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/problem_constants.hpp"
#include "driftless/results/target_table.hpp"

#include <span>
#include <string>
#include <vector>

namespace driftless {

struct ComparisonLine {
  std::string method;
  std::string label;  // the method, or the label of its table
  Settings settings;  // given by the table or from the theory
  MethodTrial trial;
};

struct Comparison {
  std::string problem;                        // one line
  std::string problem_facts;                  // problem_json() as text
  std::optional<ProblemConstants> constants;  // none where measuring them was interrupted
  std::vector<double> targets;  // parts of the first gap, from the easiest to the hardest, which ends a method
  std::vector<ComparisonLine> lines;
  bool interrupted = false;
};

struct ComparisonOptions {
  std::vector<std::string> methods;  // empty: the whole catalogue
  bool tables = false;               // after each method also the [[method]] tables that name it
  std::vector<double> targets{driftless::targets.begin(), driftless::targets.end()};
  bool progress = false;
  StopToken stop_token = {};
};

// [stop] of the configuration is the budget of each method. A method of a table has the options given there, and those
// of its theory for the rest. ConfigError where the optimum is not known.
Comparison compare_methods(const RunConfig& config, const ComparisonOptions& options);

// What was seen of a method that did not reach the hardest target, or whose limit is another point. A cause is named
// only where f stalled, or where gd came much further.
std::string remark(const Comparison& comparison, const ComparisonLine& line);

// Targets that nobody reached share one line.
std::string comparison_text(const Comparison& comparison, std::size_t width = unlimited_width);
std::string comparison_markdown(const Comparison& comparison);  // a table for each target, without times
std::string comparison_json(std::span<const Comparison> comparisons);

}  // namespace driftless
