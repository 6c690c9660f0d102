// Records Ctrl-C and SIGTERM, so that a run can end after its current round, or inside a long one. A second signal ends
// the program at once.
#pragma once

#include "driftless/core/stop_token.hpp"

namespace driftless::app {

void record_signals();
void record_user_signal();     // SIGUSR1 like Ctrl-C: mpirun forwards it to its ranks, but not Ctrl-C
StopSignal received_signal();  // usable as a stop token

// A data file that is truncated while it is mapped ends the program with the exit code of data errors and a message
// that names the file. Any other SIGBUS has its usual effect.
void explain_truncated_files();

}  // namespace driftless::app
