// driftless serve
#include "driftless/console/progress.hpp"
#include "driftless/methods/automatic/auto_options.hpp"
#include "driftless/peers/serve.hpp"
#include "driftless/peers/server_status.hpp"

#include "apps/network/tls_arguments.hpp"
#include "apps/run_results.hpp"
#include "apps/saving.hpp"
#include "apps/signals.hpp"

#include <fmt/format.h>

namespace driftless::app {
namespace {

struct ServeRequest : ServeOptions {
  std::string save;                // what `auto` is to save; empty: as configured
  std::vector<std::string> links;  // the network for which it saves time
  bool dry_run = false;
  bool status = false;  // only show the status of the server that uses the folder
  Format format = Format::text;
};

// Unlike 'run', a server estimates no times on other networks.
void reject_idle_link(const ServeRequest& request) {
  if (request.links.empty() || request.save == enum_name(Save::time)) return;
  throw ConfigError(
      {.what = "--link is the network of --save time",
       .seen = "--link \"" + request.links.front() + "\" without --save time",
       .advice = "add --save time, or leave --link out; 'driftless report' estimates the time on a link"});
}

void print_server(const PeerRun& run, Format format) {
  if (run.experiment) print_peer_results(*run.experiment, format);
  if (run.inspection && !run.inspection->interrupted)
    fmt::print("{}", format == Format::json ? inspection_json(*run.inspection) : inspection_text(*run.inspection));
}

ExitCode serve_request(const ServeRequest& request) {
  const ServedConfig served = served_config(request);
  if (request.dry_run) {
    print_configuration(served.text, short_hash(served.config), request.format);
    return ExitCode::done;
  }
  if (request.status) {
    fmt::print("{}", request.format == Format::json ? status_json(served.folder) : status_text(served.folder));
    return ExitCode::done;
  }
  ServeOptions options = request;
  options.progress = progress_wanted();
  options.stop_token = received_signal;
  options.exit_code = exit_number_of;
  record_signals();
  const PeerRun run = serve(options, served);
  print_server(run, request.format);
  return exit_code_of(run.failure);
}

}  // namespace

void declare_serve(CLI::App& command, Action& action) {
  const auto request = std::make_shared<ServeRequest>();
  command.add_option("FILE", request->file, "the configuration, with a table [network]")->required();
  command.add_option("-c", request->overrides, "set a key on top of the file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_save(command, request->save);
  command.add_option("--link", request->links, "the network of --save time, such as \"20ms,100Mbit\"")
      ->type_name("LINK")
      ->allow_extra_args(false);
  command.add_option("--listen", request->listen, "address and port; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  add_tls_arguments(command, request->tls, request->plain);
  command
      .add_option("--out", request->out, "the folder of the run; NAME-server if not given. The same again continues")
      ->type_name("DIR");
  command.add_option("--wait", request->wait, "seconds to wait for all sites to join")->capture_default_str();
  add_latency(command, request->latency);
  command
      .add_option("--journal-bytes", request->journal_bytes,
                  "size at which a file of the journal is closed; closed files that no peer needs are removed")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("--status", request->status, "show the status of the server that uses the folder, and stop");
  command.add_flag("--inspect", request->inspect,
                   "measure L, mu and delta and try methods, as 'inspect' does, instead of running; then end");
  command.add_flag("--dry-run", request->dry_run, "print the configuration that sites would get and stop");
  add_format(command, request->format);
  command.footer("Example:\n  driftless serve examples/silos/federation.toml --listen 0.0.0.0:7443 --tls ca/server");
  command.callback([&action, request] {
    action = [request] {
      reject_idle_link(*request);
      request->overrides = with_saving(request->overrides, request->save, request->links);
      return serve_request(*request);
    };
  });
}

}  // namespace driftless::app
