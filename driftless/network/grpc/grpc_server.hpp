// Serves a hub over gRPC, with one stream for each site. Mutual TLS unless plain text was requested.
#pragma once

#include "driftless/network/grpc/grpc_server_options.hpp"
#include "driftless/network/hub/hub.hpp"

#include <memory>

namespace driftless {

class GrpcServer {
 public:
  GrpcServer(Hub& hub, GrpcServerOptions options);  // starts to listen; TransportError where that is not possible
  ~GrpcServer();                                    // ends all streams
  GrpcServer(const GrpcServer&) = delete;
  GrpcServer& operator=(const GrpcServer&) = delete;

  int port() const;

 private:
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace driftless
