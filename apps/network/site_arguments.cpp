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

Address address_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size())
    throw ConfigError({.what = "the address has no port", .seen = text, .advice = "give HOST:PORT"});
  return {.host = text.substr(0, colon), .port = text.substr(colon + 1)};
}

}  // namespace driftless::app
