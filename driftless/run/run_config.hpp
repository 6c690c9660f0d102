// A run as plain data: one TOML file with what the environment and the command line set on top, checked before any data
// is read.
#pragma once

#include "driftless/run/method_config.hpp"
#include "driftless/run/network_config.hpp"
#include "driftless/run/problem_config.hpp"
#include "driftless/run/stop.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace driftless {

struct OutputConfig {
  std::string dir = "runs";
  std::string name;
  std::size_t every = 1;
  double save_seconds = 30.0;

  static constexpr auto fields() {
    using S = OutputConfig;
    return std::tuple{
        field("dir", &S::dir, anything, "the folder that run directories are made in"),
        field("name", &S::name, anything, "beginning of the run directory's name; the configuration's if not given"),
        field("every", &S::every, at_least_one, "measure every k-th round"),
        field("save_seconds", &S::save_seconds, nonnegative,
              "time between two savings of the state, for 'driftless resume'; 0 = after every round")};
  }
};

struct RunConfig {
  std::size_t seed = 1;
  ProblemConfig problem;
  FederationConfig federation;
  std::vector<MethodConfig> methods;
  StopConditions stop;
  OutputConfig output;
  NetworkConfig network;

  std::size_t clients() const;  // n
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
RunConfig read_frame(const ConfigDocument& document, const std::filesystem::path& file);

// Every option with its value, as a configuration that repeats the run to the bit.
std::string canonical_text(const RunConfig& config, Formulas formulas = Formulas::shown);
std::string head_text(const RunConfig& config);   // what stands before the methods
std::string short_hash(std::string_view text);    // first digits of its sha256
std::string short_hash(const RunConfig& config);  // of the canonical text without formulas

}  // namespace driftless
