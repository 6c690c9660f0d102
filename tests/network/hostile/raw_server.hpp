// A server that answers whatever a test wants, over the real wire.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"

#include "hub.grpc.pb.h"

#include <functional>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

class RawServer {
 public:
  using Stream = grpc::ServerReaderWriter<wire::FromServer, wire::FromSite>;
  struct Answers {
    wire::Offer offer;
    wire::Comparison comparison;
    wire::SecureReply secure;
    std::vector<wire::FromServer> stream;  // sent after the greeting of the site, whatever it sends afterwards
    bool closes = false;                   // the stream after the last message, instead of waiting for the site
    std::string status;                    // every call fails with this text
  };

  RawServer(const std::optional<TlsTexts>& tls, Answers answers);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::vector<wire::FromSite> received() const;  // on all streams, without the greetings
  std::size_t joins() const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
  std::unique_ptr<grpc::Server> server_;
  int port_ = 0;
};

}  // namespace driftless
