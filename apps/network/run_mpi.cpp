// driftless run --transport mpi
#include "driftless/console/log.hpp"
#include "driftless/console/machine.hpp"
#include "driftless/files/digest.hpp"
#include "driftless/network/mpi/mpi_transport.hpp"

#include "apps/run_request.hpp"
#include "apps/signals.hpp"

namespace driftless::app {
namespace {

// Ranks may have different files, environments or programs; the numbers of threads may differ.
void require_same(RunConfig config, MpiSession& mpi) {
  config.federation.threads = 0;
  const std::string digest = sha256(program_version() + "\n" + canonical_text(config));
  if (mpi.same_as_neighbour(std::stoull(digest.substr(0, 16), nullptr, 16))) return;
  throw ConfigError({.what = "not all ranks have the same configuration and program",
                     .seen = "digest " + digest.substr(0, 16) + " on this rank, another on the one before it",
                     .advice = "let all ranks read the same file, with the same environment and the same driftless"});
}

ExitCode run_rank(const RunRequest& request, MpiSession& mpi) {
  if (mpi.rank() != 0) log_nothing();  // all ranks would log the same messages
  if (mpi.ranks() == 1) log_warning("there is one rank only; start several with 'mpirun -n RANKS driftless run …'");
  record_user_signal();
  const RunConfig config = read_config(request.file, request.overrides);
  require_same(config, mpi);
  MpiTransport transport(mpi, config.clients(), received_signal);
  return run_peer(request, config, {.transport = &transport, .threads = mpi.cores()});
}

}  // namespace

ExitCode run_mpi(const RunRequest& request) {
  MpiSession mpi;
  try {
    const ExitCode code = run_rank(request, mpi);
    // Only rank 0 returns an error code: a launcher may kill the other ranks when one returns an error.
    return mpi.rank() == 0 ? code : ExitCode::done;
  } catch (...) {
    const Failure failure = failure_of(std::current_exception());
    mpi.end_processes(static_cast<int>(failure.code), failure.text);
  }
}

}  // namespace driftless::app
