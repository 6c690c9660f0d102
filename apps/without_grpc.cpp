// The commands of a networked run in a build without gRPC.
#include "apps/commands.hpp"

namespace driftless::app {
namespace {

[[noreturn]] void refuse(const char* command) {
  throw ConfigError({.what = "this build of the program has no network",
                     .seen = std::string("driftless ") + command,
                     .advice = "run './scripts/install-packages network' and build again"});
}

}  // namespace

ExitCode serve(const ServeRequest&) { refuse("serve"); }
ExitCode join_run(const JoinRequest&) { refuse("join"); }
ExitCode preflight(const SiteRequest&) { refuse("preflight"); }

}  // namespace driftless::app
