// Names, flags and help of `driftless serve` and `driftless join`.
#include "apps/command_line.hpp"

#include <memory>

namespace driftless::app {
namespace {

void add_protection(CLI::App& command, std::string& tls, bool& plain) {
  command.add_option("--tls", tls, "folder with key.pem, cert.pem and ca.pem, made by 'driftless pki issue'")
      ->type_name("DIR");
  command.add_flag("--plain", plain, "no TLS; for trying things out on one machine");
}

// What a site says of itself, to join or to see whether it could.
void add_site(CLI::App& command, SiteRequest& request) {
  command.add_option("SERVER", request.address, "address and port of the server")->required()->type_name("HOST:PORT");
  add_protection(command, request.tls, request.plain);
  command.add_option("--site", request.site, "who this is, for --plain; otherwise the certificate says it")
      ->type_name("NAME");
  command
      .add_option("--data", request.data,
                  "the data of this site, a LIBSVM file; once for each client it hosts. It is never sent")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

}  // namespace

void add_serve(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("serve", "The server of a federation: meets the sites and runs a configuration");
  const auto request = std::make_shared<ServeRequest>();
  command->add_option("FILE", request->file, "the configuration, with a table [network]")->required();
  command->add_option("-c", request->overrides, "set a key on top of the file, as for 'run'")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--listen", request->listen, "address and port; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  add_protection(*command, request->tls, request->plain);
  command
      ->add_option("--out", request->out, "the folder of the run; NAME-server if not given. The same again continues")
      ->type_name("DIR");
  command->add_option("--wait", request->wait, "seconds to wait for all sites to join")->capture_default_str();
  command
      ->add_option("--journal-bytes", request->journal_bytes,
                   "size at which a file of the journal is closed; closed files that no peer needs are removed")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_flag("--status", request->status, "show how the server that works in the folder stands, and stop");
  command->add_flag("--dry-run", request->dry_run, "print the configuration that sites would get and stop");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless serve examples/silos/federation.toml --listen 0.0.0.0:7443 --tls ca/server");
  command->callback([&action, request] { action = [request] { return serve(*request); }; });
}

void add_join(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("join", "A site of a federation: works for a server on its own data");
  const auto request = std::make_shared<JoinRequest>();
  add_site(*command, *request);
  command->add_option("--out", request->out, "the folder of the run; site-NAME if not given. The same again continues")
      ->type_name("DIR");
  command->add_option("--allow-methods", request->allowed_methods, "refuse to run any other, as gd,fedavg")
      ->delimiter(',')
      ->type_name("NAMES");
  command->add_option("--max-rounds", request->most_rounds, "refuse configurations that may run longer")
      ->type_name("N");
  command->add_option("--threads", request->threads, "threads; 0 = one per core")->capture_default_str();
  command->add_option("--wait", request->wait, "seconds to reach the server at first")->capture_default_str();
  command->add_option("--grace", request->grace, "seconds to reach it again after a break")->capture_default_str();
  command->add_flag("--dry-run", request->dry_run, "print what the server would have this site run and stop");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless join server.example:7443 --tls north --data north.svm");
  command->callback([&action, request] { action = [request] { return join_run(*request); }; });
}

void add_preflight(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("preflight", "Whether a site could join: address, certificate, clock, data, disk");
  const auto request = std::make_shared<SiteRequest>();
  add_site(*command, *request);
  command->add_option("--out", request->out, "the folder that the run will use")->type_name("DIR");
  add_format(*command, request->format);
  command->footer("Example:\n  driftless preflight server.example:7443 --tls north --data north.svm");
  command->callback([&action, request] { action = [request] { return preflight(*request); }; });
}

}  // namespace driftless::app
