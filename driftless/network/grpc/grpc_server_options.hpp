// What a server is started with, and what it reports.
#pragma once

#include "driftless/network/grpc/tls_texts.hpp"
#include "driftless/network/hub/key_board.hpp"

namespace driftless {

// One call of a peer, for an audit.
struct CallRecord {
  std::string call;  // Look, Compare, Decline, Keys, Secure, Join
  std::string site;  // empty where it is not known
  std::string address;
  std::string certificate;  // PEM; empty without TLS
  std::string rejected;     // why; empty where the call was accepted
};

struct GrpcServerOptions {
  std::string address;          // "0.0.0.0:7443"; port 0 takes a free one
  std::optional<TlsTexts> tls;  // none: plain text, and each site states its own name
  std::string version;
  std::string run;
  std::string configuration;
  std::string configuration_digest;
  KeyBoard* keys = nullptr;  // where sites mask their rows
  double latency = 0.0;      // seconds to a site and back, at most; all limits of connections grow with it
  // Called for every call, and again every few seconds while a site is connected: its certificate may be revoked
  // meanwhile.
  CertificateCheck check_certificate = {};
  std::function<void(const CallRecord&)> on_call = {};
  std::function<void(const std::string&)> on_event = {};  // events that concern no site
};

}  // namespace driftless
