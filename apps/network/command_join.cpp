// driftless join
#include "driftless/console/progress.hpp"
#include "driftless/peers/join.hpp"
#include "driftless/peers/policy_check.hpp"
#include "driftless/peers/site_offer_check.hpp"

#include "apps/network/site_arguments.hpp"
#include "apps/network/tls_arguments.hpp"
#include "apps/run_results.hpp"

namespace driftless::app {
namespace {

struct JoinRequest : SiteRequest {
  std::size_t threads = 0;
  double wait = 20.0;
  double grace = 60.0;
  double latency = 0.0;
  bool dry_run = false;
};

JoinOptions options_of(const JoinRequest& request) {
  return {.address = request.address,
          .tls = request.tls,
          .plain = request.plain,
          .site = request.site,
          .files = request.data,
          .policy = read_policy(request.policy),
          .out = request.out,
          .threads = request.threads,
          .wait = request.wait,
          .grace = request.grace,
          .latency = request.latency,
          .progress = progress_wanted(),
          .exit_code = exit_number_of};
}

ExitCode show_offer(const JoinRequest& request, const JoinOptions& options) {
  const SiteMeeting meeting(options);
  print_configuration(shown_configuration(meeting.offer()), short_hash(meeting.offered()), request.format);
  require_allowed(options.policy, meeting.offered());
  return ExitCode::done;
}

ExitCode join_run(const JoinRequest& request) {
  const JoinOptions options = options_of(request);
  if (request.dry_run) return show_offer(request, options);
  const PeerRun run = join(options);
  if (run.experiment) print_peer_results(*run.experiment, request.format);
  return exit_code_of(run.failure);
}

}  // namespace

void declare_join(CLI::App& command, Action& action) {
  const auto request = std::make_shared<JoinRequest>();
  add_site_arguments(command, *request);
  command.add_option("--out", request->out, "the folder of the run; site-NAME if not given. The same again continues")
      ->type_name("DIR");
  command.add_option("--threads", request->threads, "threads; 0 = one per core")->capture_default_str();
  command.add_option("--wait", request->wait, "seconds to reach the server at first")->capture_default_str();
  command.add_option("--grace", request->grace, "seconds to reach it again after a break")->capture_default_str();
  add_latency(command, request->latency);
  command.add_flag("--dry-run", request->dry_run, "print what the server would have this site run and stop");
  add_format(command, request->format);
  command.footer("Example:\n  driftless join server.example:7443 --tls north --data north.svm");
  command.callback([&action, request] { action = [request] { return join_run(*request); }; });
}

}  // namespace driftless::app
