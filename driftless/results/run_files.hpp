// Reads a run directory: of a finished run, or of one that is under way.
#pragma once

#include "driftless/config/config_document.hpp"
#include "driftless/core/link.hpp"
#include "driftless/optimize/trace.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace driftless {

struct FittedModel;

struct MethodFiles {
  std::string label;
  std::string title;  // the label where it has none
  std::string name;
  std::string seed;
  std::vector<std::pair<std::string, std::string>> options;  // key and value as in config.toml, the seed left out
  std::vector<std::pair<std::string, std::string>> theory;   // the options whose values are the theory's, and formulas
  std::vector<TraceRow> rows;                                // empty: the method has not begun
  std::string stop_reason;                                   // empty: it has not ended
  nlohmann::ordered_json certificate;                        // null where there is none, as below
  nlohmann::ordered_json decision;                           // of summary.json
  std::shared_ptr<const FittedModel> fit;                    // null: the method fitted no model of tables
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

// Sets the times of all rows on these links. DataError if the record lacks the clients or threads of the run.
void replay(RunFiles& run, std::span<const Link> links);

// DataError if there is no such directory, it is not that of a run, or a file is damaged. The rows of a finished method
// must be those of its summary; while the run is under way, or where it was killed, a difference is only a warning,
// because a method may be running again.
RunFiles read_run(const std::filesystem::path& directory);

}  // namespace driftless
