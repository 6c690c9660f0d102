// All that the rounds to come depend on: the point, the trace, the federation and the method.
#pragma once

#include "driftless/checkpoints/state_file.hpp"
#include "driftless/optimize/driver.hpp"

namespace driftless {

void write_run(StateWriter& writer, RunState& run);

// The last that is read. DataError where it does not fit the method, the federation and the point.
void read_run(StateReader& reader, RunState& run);

}  // namespace driftless
