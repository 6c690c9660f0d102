// The commands that `driftless` leaves to driftless-net.
#include "apps/network_program.hpp"
#include "apps/run_peer.hpp"

namespace driftless::app {

ExitCode serve(const ServeRequest&) { become_network_program(); }
ExitCode join_run(const JoinRequest&) { become_network_program(); }
ExitCode preflight(const SiteRequest&) { become_network_program(); }
ExitCode run_over_mpi(const RunRequest&) { become_network_program(); }
ExitCode data_get(const DataGetRequest&) { become_network_program(); }

}  // namespace driftless::app
