// The hub behind gRPC: one stream for each site. Mutual TLS unless plain text was asked for.
#pragma once

#include "driftless/network/hub/hub.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace driftless {

// PEM texts of one peer.
struct TlsTexts {
  std::string certificate;
  std::string key;
  std::string authority;
};

// Why the holder of this certificate (PEM) may not take part, beyond what TLS itself checks.
using CertificateCheck = std::function<std::optional<Trouble>(const std::string&)>;

// One call of a peer, for an audit.
struct CallRecord {
  std::string call;  // Look, Compare, Secure, Join
  std::string site;  // empty where it is not known
  std::string address;
  std::string certificate;  // PEM; empty without TLS
  std::string refused;      // why; empty where it was not
};

struct GrpcServerOptions {
  std::string address;          // "0.0.0.0:7443"; port 0 takes a free one
  std::optional<TlsTexts> tls;  // none: plain text, where a site itself says who it is
  std::string version;
  std::string run;
  std::string configuration;
  std::string configuration_digest;
  // Asked for every call, and again every few seconds while a site is connected: a certificate may be revoked
  // meanwhile.
  CertificateCheck check_certificate = {};
  std::function<void(const CallRecord&)> on_call = {};
  std::function<void(const std::string&)> on_event = {};  // told of what is about no site
};

class GrpcServer {
 public:
  GrpcServer(Hub& hub, GrpcServerOptions options);  // listens; Error (connection) where that is not possible
  ~GrpcServer();                                    // ends all streams
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  int port() const;

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace driftless
