// Handles the calls of sites. Only sources of this folder include it.
#pragma once

#include "driftless/network/grpc/grpc_server_options.hpp"
#include "driftless/network/grpc/wire_messages.hpp"

#include "hub.grpc.pb.h"

#include <atomic>
#include <grpcpp/grpcpp.h>
#include <list>
#include <map>
#include <mutex>
#include <thread>

namespace driftless::detail {

class GrpcService final : public wire::Hub::Service {
 public:
  // Called with the address of each connection that belongs to a site, and the name of the site.
  using Admission = std::function<void(const std::string& peer, const std::string& site)>;
  GrpcService(Hub& hub, const GrpcServerOptions& options, Admission on_admitted);
  ~GrpcService() override;
  GrpcService(const GrpcService&) = delete;
  GrpcService& operator=(const GrpcService&) = delete;

  // Blocks until the streams have ended by themselves: the reason of an end may still be on its way.
  void wait_for_streams(std::chrono::steady_clock::duration most);

  grpc::Status Look(grpc::ServerContext* context, const wire::LookRequest* request, wire::Offer* offer) override;
  grpc::Status Compare(grpc::ServerContext* context, const wire::CompareRequest* request,
                       wire::Comparison* comparison) override;
  grpc::Status Decline(grpc::ServerContext* context, const wire::DeclineRequest* request,
                       wire::DeclineReply* reply) override;
  grpc::Status Keys(grpc::ServerContext* context, const wire::KeysRequest* request, wire::KeysReply* reply) override;
  grpc::Status Secure(grpc::ServerContext* context, const wire::SecureRequest* request,
                      wire::SecureReply* reply) override;
  using Stream = grpc::ServerReaderWriter<wire::FromServer, wire::FromSite>;
  grpc::Status Join(grpc::ServerContext* context, Stream* stream) override;

 private:
  // An open stream. The watchdog notices a broken one, whatever its threads wait for.
  struct Open {
    grpc::ServerContext* context;
    std::string name;         // in the certificate; empty without TLS
    std::string certificate;  // PEM
    HubConnection* connection = nullptr;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    bool greeted = false;
  };
  class Watched;

  void watch();
  void recheck_certificates();
  void require_version(const std::string& version) const;
  std::size_t slot_of(const grpc::ServerContext& context, const Introduction& from) const;
  std::unique_ptr<HubConnection> admitted(const grpc::ServerContext& context, const Greeting& greeting,
                                          std::size_t slot);
  void serve(grpc::ServerContext& context, Stream& stream, const Watched& watched);
  void record(const char* call, const grpc::ServerContext& context, const std::string& rejected = {}) const;
  void require_same_run(const std::string& run) const;
  Rejection end_run(const std::exception& error) const;
  void read_all(Stream& stream, HubConnection& connection) const;
  void write_all(Stream& stream, HubConnection& connection, grpc::ServerContext& context) const;
  std::thread writer_of(Stream& stream, HubConnection& connection, grpc::ServerContext& context) const;
  void write_until_closed(Stream& stream, HubConnection& connection) const;
  void write_rejection(Stream& stream, wire::FromServer message) const;
  bool write(Stream& stream, wire::FromServer message) const;

  driftless::Hub& hub_;
  const GrpcServerOptions& options_;
  Admission on_admitted_;
  std::mutex mutex_;
  std::list<Open> open_;
  std::map<std::size_t, SiteFacts> facts_;  // by slot, of the sites that have compared
  std::atomic<bool> stopping_{false};
  std::thread watchdog_;
};

}  // namespace driftless::detail
