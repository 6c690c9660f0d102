// The verbs and transports of driftless-net. A build without gRPC or MPI declares them too and reports what is missing.
#include "apps/manual/command_tree.hpp"
#include "apps/run_request.hpp"

namespace driftless::app {

#define VERB(name, help) void declare_##name(CLI::App& command, Action& action);
#define NETWORK_VERB(name, help) VERB(name, help)
#include "apps/verbs.def"
#undef VERB
#undef NETWORK_VERB

ExitCode run_mpi(const RunRequest& request);

#ifndef DRIFTLESS_HAS_GRPC
namespace {

void declare_unavailable(CLI::App& command, Action& action) {
  command.set_help_flag();
  command.prefix_command();
  command.callback([&action, &command] {
    action = [&command]() -> ExitCode {
      throw ConfigError({.what = "this build of the program has no network",
                         .seen = "driftless " + command.get_name(),
                         .advice = "run './scripts/install-packages network' and build again"});
    };
  });
}

}  // namespace
#endif

void declare_verbs(CLI::App& app, Action& action) {
#define VERB(name, help) declare_##name(*app.add_subcommand(#name, help), action);
#ifdef DRIFTLESS_HAS_GRPC
#define NETWORK_VERB(name, help) VERB(name, help)
#else
#define NETWORK_VERB(name, help) declare_unavailable(*app.add_subcommand(#name, help), action);
#endif
#include "apps/verbs.def"
#undef VERB
#undef NETWORK_VERB
}

bool declares_all_options() { return true; }

ExitCode run_over(const RunRequest& request) {
#ifdef DRIFTLESS_HAS_MPI
  if (request.transport == "mpi") return run_mpi(request);
#endif
  throw ConfigError(
      {.what = "this build was made without MPI",
       .seen = "--transport " + request.transport,
       .advice = "run './scripts/install-packages mpi', configure with -DDRIFTLESS_WITH_MPI=ON and build again"});
}

}  // namespace driftless::app
