// The configuration of a run: a TOML file with the overrides of the environment and the command line, checked before
// any data is read.
#pragma once

#include "driftless/config/method_config.hpp"
#include "driftless/experiments/network_config.hpp"
#include "driftless/experiments/trial_budget.hpp"
#include "driftless/optimize/stop.hpp"
#include "driftless/problems/kinds.hpp"
#include "driftless/results/output_config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct RunConfig : ProblemSetup {
  std::vector<MethodConfig> methods;
  StopConditions stop;
  OutputConfig output;
  NetworkConfig network;
  TrialBudget inspect;  // not part of what a run follows from

  Summation summation() const {
    return network.secure_sum ? Summation::fixed : federation.sum.value_or(Summation::tree);
  }
};

// Where a configuration has no method: it runs `auto`, or there is none.
enum class MethodTables { or_auto, optional };
enum class Paths { resolved, as_written };  // as written: another machine resolves them

// Default < file < environment < overrides ("key=value"). ConfigError with file:line or flag; DataError where data is
// missing.
RunConfig read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
                      MethodTables methods = MethodTables::or_auto, Paths paths = Paths::resolved);

// A configuration sent by another machine; messages name it instead of a file.
RunConfig parse_config(std::string_view text, const std::string& name, Paths paths);

// The two steps separately, for commands that read methods in their own way: the document with environment and
// overrides, and everything but the methods. Paths are not resolved yet, and [stop] may be empty.
ConfigDocument load_document(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                             MethodTables methods = MethodTables::optional);
RunConfig read_frame(const ConfigDocument& document, const std::filesystem::path& file,
                     std::span<const ProblemKind> kinds = problem_kinds());

// Every option with its value, as a configuration that repeats the run to the bit.
std::string canonical_text(const RunConfig& config, Formulas formulas = Formulas::shown);
std::string head_text(const RunConfig& config);   // what precedes the methods
std::string short_hash(const RunConfig& config);  // of the canonical text without formulas

}  // namespace driftless
