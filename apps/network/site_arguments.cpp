#include "apps/network/site_arguments.hpp"

#include "apps/network/tls_arguments.hpp"

namespace driftless::app {

void add_site_arguments(CLI::App& command, SiteRequest& request) {
  command.add_option("SERVER", request.address, "address and port of the server")->required()->type_name("HOST:PORT");
  add_tls_arguments(command, request.tls, request.plain);
  command.add_option("--site", request.site, "who this is, for --plain; otherwise the certificate says it")
      ->type_name("NAME");
  command
      .add_option("--data", request.data,
                  "the data of this site, a LIBSVM file or a table; once for each client it hosts. It is never sent")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_policy_arguments(command, request.policy);
}

void add_policy_arguments(CLI::App& command, PolicyRequest& request) {
  command
      .add_option("--policy", request.file, "what this site agrees to, a TOML file; flags replace single keys of it")
      ->type_name("FILE");
  command.add_option("--allow-methods", request.methods, "reject all others, as gd,fedavg")
      ->delimiter(',')
      ->type_name("NAMES");
  command.add_option("--max-rounds", request.most_rounds, "reject configurations that may run longer")->type_name("N");
}

}  // namespace driftless::app
