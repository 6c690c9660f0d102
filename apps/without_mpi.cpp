#include "apps/run_peer.hpp"

namespace driftless::app {

ExitCode run_over_mpi(const RunRequest&) {
  throw ConfigError(
      {.what = "this build was made without MPI",
       .seen = "--transport mpi",
       .advice = "run './scripts/install-packages mpi', configure with -DDRIFTLESS_WITH_MPI=ON and build again"});
}

}  // namespace driftless::app
