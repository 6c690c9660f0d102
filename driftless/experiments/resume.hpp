// Reads the progress of a run from its directory.
#pragma once

#include "driftless/experiments/experiment_options.hpp"
#include "driftless/experiments/run_config.hpp"
#include "driftless/problems/problem.hpp"
#include "driftless/results/outcome.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace driftless {

// Of everything that determines the bits of a run; threads and the folder of results do not. `run` identifies a run of
// several peers, whose directories must not be mixed with those of another run.
std::string digest_of_run(RunConfig config, const Problem& problem, const std::string& run);

// DataError where the directory belongs to a run with another digest.
void require_same_run(const std::filesystem::path& directory, const std::string& digest);

// The exit code of the program that wrote the directory; none while it runs, or where it was killed.
std::optional<int> recorded_exit_code(const std::filesystem::path& directory);

// Whether every method has ended by itself.
bool methods_are_finished(const std::filesystem::path& directory, const RunConfig& config);

// The same, and run.json records the end of the run, by no signal. Without `exit_code` it records none.
bool run_is_finished(const std::filesystem::path& directory, const RunConfig& config, const ExitCodeMap& exit_code);

// The outcome of a finished method; none if it is not finished. Theorem checks are not read back: a method with one
// counts as not finished and starts from its beginning. DataError where the files are damaged or belong to another run.
std::optional<MethodOutcome> finished_outcome(const std::filesystem::path& folder, const MethodConfig& method,
                                              const std::string& run_digest);

// When the run first began, UTC; none where that is not recorded.
std::optional<std::string> first_start(const std::filesystem::path& directory);

// Removes the incomplete files of a process that was killed.
void remove_drafts(const std::filesystem::path& folder);

}  // namespace driftless
