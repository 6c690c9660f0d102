// What a site is started with.
#pragma once

#include "driftless/core/stop_token.hpp"
#include "driftless/network/grpc/tls_texts.hpp"

namespace driftless {

struct GrpcSiteOptions {
  std::string address;  // "server.example:7443"
  std::optional<TlsTexts> tls;
  std::string version;
  std::string site;                         // its name; with TLS as in its certificate
  CertificateCheck check_certificate = {};  // of the server's
  double first_contact = 20.0;              // seconds to reach the server for the first time
  double grace = 60.0;                      // seconds to reach it again
  double latency = 0.0;                     // seconds to the server and back, at most; all other limits grow with it
  std::function<void(const std::string&)> on_event = {};
  // Ends this site alone: a call that waits throws an Error of kind `interrupted` within a fraction of a second, and
  // the others wait for the site as for one that was killed.
  StopToken stop_token = {};
};

}  // namespace driftless
