// What a run directory says about how far its run has come.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/results/outcome.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// Of all that the bits of a run follow from: threads and where results go are not part of it.
// `run` names a run of several peers: each keeps its own part of it, and parts of two runs must not be mixed.
std::string digest_of_run(RunConfig config, const Problem& problem, const std::string& run);

// DataError where the directory records the run of another digest.
void require_same_run(const std::filesystem::path& directory, const std::string& digest);

// With which the program ended that wrote the directory; none while it runs, or where it was killed.
std::optional<int> recorded_exit_code(const std::filesystem::path& directory);

// Whether every method has ended by itself.
bool methods_are_finished(const std::filesystem::path& directory, const RunConfig& config);

// What a finished method left; none if it is not finished. Certificates are not read back: such a method counts as not
// finished, and starts from its beginning. DataError where the files are damaged or another run's.
std::optional<MethodOutcome> finished_outcome(const std::filesystem::path& folder, const MethodConfig& method,
                                              const std::string& run_digest);

// When the run first began, UTC; none where that is not recorded.
std::optional<std::string> first_start(const std::filesystem::path& directory);

// Files that were being written when a process was killed.
void remove_drafts(const std::filesystem::path& folder);

}  // namespace driftless
