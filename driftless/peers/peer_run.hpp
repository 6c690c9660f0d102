// What a peer of a federation reports when its run has ended.
#pragma once

#include "driftless/experiments/experiment.hpp"
#include "driftless/experiments/inspection.hpp"

#include <filesystem>
#include <optional>

namespace driftless {

struct PeerRun {
  std::filesystem::path results;         // the run directory
  std::optional<Experiment> experiment;  // none where the run was finished before, or was an inspection
  std::optional<Inspection> inspection;
  std::optional<ErrorKind> failure;  // none where everything ended by itself
};

}  // namespace driftless
