// The JSON files of a run directory, and the same results as one object for standard output.
#pragma once

#include "driftless/core/link.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/results/outcome.hpp"

#include <optional>
#include <span>
#include <string>

namespace driftless {

// What run.json records about a run besides its problem.
struct RunRecord {
  std::size_t seed = 1;
  std::string config_hash;
  std::size_t methods_asked = 0;
  std::filesystem::path directory;
  std::string digest;  // of everything that determines the bits of the run; empty until it is known
  std::size_t threads = 1;
  std::string start;                    // UTC
  std::string end;                      // empty while the run is under way
  std::vector<Link> links;              // that were requested
  std::vector<MethodOutcome> outcomes;  // of the methods that ran
  std::optional<int> exit_code;         // of the program; none while the run is under way
};

// summary.json of one method: last and best row, first round at each target, totals, and times on the requested links.
// `digest` is that of the run, by which a resumed run recognises its own summaries.
std::string summary_json(const MethodOutcome& outcome, std::span<const Link> links, const std::string& digest);

// run.json; written when the run begins and again after each method.
std::string run_json(const Problem& problem, const RunRecord& record);

// For --format json.
std::string results_json(const Problem& problem, const RunRecord& record);

}  // namespace driftless
