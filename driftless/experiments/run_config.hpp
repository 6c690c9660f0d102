// A run as plain data: one TOML file with what the environment and the command line set on top, checked before any data
// is read.
#pragma once

#include "driftless/config/method_config.hpp"
#include "driftless/experiments/network_config.hpp"
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
};

enum class MethodTables { needed, optional };
enum class Paths { resolved, as_written };  // as written where another machine will look for them

// Default < file < environment < overrides ("key=value"). ConfigError with file:line or flag; DataError where data is
// missing.
RunConfig read_config(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
                      MethodTables methods = MethodTables::needed, Paths paths = Paths::resolved);

// A configuration that another machine sent; `name` stands for the file in messages.
RunConfig parse_config(std::string_view text, const std::string& name, Paths paths);

// The same in parts, for commands that read methods in their own way: the document with environment and overrides, and
// all of it but the methods. Paths are not resolved yet, and [stop] may be empty.
ConfigDocument load_document(const std::filesystem::path& file, const std::vector<std::string>& overrides);
RunConfig read_frame(const ConfigDocument& document, const std::filesystem::path& file,
                     std::span<const ProblemKind> kinds = problem_kinds());

// Every option with its value, as a configuration that repeats the run to the bit.
std::string canonical_text(const RunConfig& config, Formulas formulas = Formulas::shown);
std::string head_text(const RunConfig& config);   // what stands before the methods
std::string short_hash(const RunConfig& config);  // of the canonical text without formulas

}  // namespace driftless
