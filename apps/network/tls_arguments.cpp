#include "apps/network/tls_arguments.hpp"

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& tls, bool& plain) {
  command.add_option("--tls", tls, "folder with key.pem, cert.pem and ca.pem, made by 'driftless pki issue'")
      ->type_name("DIR");
  command.add_flag("--plain", plain, "no TLS; for trying things out on one machine");
}

}  // namespace driftless::app
