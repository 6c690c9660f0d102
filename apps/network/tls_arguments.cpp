#include "apps/network/tls_arguments.hpp"

namespace driftless::app {

void add_tls_arguments(CLI::App& command, std::string& tls, bool& plain) {
  command.add_option("--tls", tls, "folder with key.pem, cert.pem and ca.pem, made by 'driftless pki issue'")
      ->type_name("DIR");
  command.add_flag("--plain", plain, "no TLS; for trying things out on one machine");
}

void add_latency(CLI::App& command, double& seconds) {
  command
      .add_option(
          "--latency", seconds,
          "seconds to the other end and back, at most, where a relay carries the connection: the time limits of "
          "the connection grow with it")
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
}

}  // namespace driftless::app
