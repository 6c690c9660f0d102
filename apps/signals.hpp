// Ctrl-C and SIGTERM are remembered, so that a run can end after its current round. A second one ends the program at
// once.
#pragma once

#include "driftless/core/stop_token.hpp"

namespace driftless::app {

void remember_signals();
void remember_user_signal();   // SIGUSR1 like Ctrl-C: mpirun passes it on to its ranks, but not Ctrl-C
StopSignal received_signal();  // a stop token is made of it

// A data file that is cut short while it is mapped ends the program with the code of data errors and a message that
// names it. Any other SIGBUS ends it as it would without.
void explain_files_cut_short();

}  // namespace driftless::app
