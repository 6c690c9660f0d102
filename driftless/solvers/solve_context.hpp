// What a local solver may use: scratch vectors of its thread and the client's own source of batches.
#pragma once

#include "driftless/solvers/batch_sampler.hpp"
#include "driftless/solvers/workspace.hpp"

namespace driftless {

struct SolveContext {
  Workspace& scratch;
  BatchSampler& batches;
};

}  // namespace driftless
