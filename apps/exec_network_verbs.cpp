// The verbs that `driftless` leaves to driftless-net, which parses the whole command line again and also shows their
// help.
#include "apps/manual/command_tree.hpp"
#include "apps/network_program.hpp"
#include "apps/run_request.hpp"

namespace driftless::app {

#define VERB(name, help) void declare_##name(CLI::App& command, Action& action);
#define NETWORK_VERB(name, help)
#include "apps/verbs.def"
#undef VERB
#undef NETWORK_VERB

namespace {

void pass_to_network_program(CLI::App& command, Action& action) {
  command.set_help_flag();
  command.prefix_command();
  command.callback([&action] { action = []() -> ExitCode { become_network_program(); }; });
}

}  // namespace

void declare_verbs(CLI::App& app, Action& action) {
#define VERB(name, help) declare_##name(*app.add_subcommand(#name, help), action);
#define NETWORK_VERB(name, help) pass_to_network_program(*app.add_subcommand(#name, help), action);
#include "apps/verbs.def"
#undef VERB
#undef NETWORK_VERB
}

bool declares_all_options() { return false; }

void declare_data_get(CLI::App& command, Action& action) { pass_to_network_program(command, action); }

ExitCode run_over(const RunRequest&) { become_network_program(); }

}  // namespace driftless::app
