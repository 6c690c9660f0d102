// A run directory read back: what 'driftless run' left, or has written so far.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/optimize/trace.hpp"
#include "driftless/results/link.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace driftless {

struct MethodFiles {
  std::string label;
  std::string name;
  std::string seed;
  std::vector<std::pair<std::string, std::string>> options;  // key and value as in config.toml, the seed left out
  std::vector<TraceRow> rows;                                // empty: it has not begun
  std::string stop_reason;                                   // empty: it has not ended
  nlohmann::ordered_json certificate;                        // null where there is none, as below
  std::string warning;                                       // empty: its files match
};

struct RunFiles {
  std::string name;  // of the directory
  ConfigDocument config;
  nlohmann::ordered_json record;  // run.json
  nlohmann::ordered_json split;
  nlohmann::ordered_json constants;
  std::vector<MethodFiles> methods;
  std::vector<Link> links;  // on which the rows have their link_s
};

// Gives every row its time on these links. DataError if the record does not tell the clients and threads of the run.
void replay(RunFiles& run, std::span<const Link> links);

// DataError if there is no such directory, it is not that of a run, or a file is damaged. The rows of a finished method
// must be those with which its summary was written; while the run lasts, or where it was killed, a difference is a
// warning only, as a method may be running again.
RunFiles read_run(const std::filesystem::path& directory);

}  // namespace driftless
