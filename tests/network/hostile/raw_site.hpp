// A site that sends whatever a test wants, over the real wire.
#pragma once

#include "driftless/network/grpc/grpc_server.hpp"

#include "hub.grpc.pb.h"

#include <filesystem>
#include <grpcpp/grpcpp.h>
#include <memory>
#include <string>
#include <vector>

namespace driftless {

class RawSite {
 public:
  // Protected by the certificates in the folder.
  RawSite(const std::string& address, const std::filesystem::path& certificates);
  RawSite(const std::string& address, const TlsTexts& tls);
  ~RawSite();
  RawSite(const RawSite&) = delete;
  RawSite& operator=(const RawSite&) = delete;

  wire::Offer look(const std::string& version);
  wire::Hub::Stub& stub() { return *stub_; }
  // The bytes of an answer to the bytes of a request; the message of the status where the call fails.
  std::string call_raw(const std::string& method, const std::string& bytes);

  void open();                                                              // the stream, without a greeting
  void greet(const std::string& version, std::uint64_t next_exchange = 0);  // to the run that `look` offers
  bool send(const wire::FromSite& message);
  void send_chunk(std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values,
                  std::uint32_t attempt = 0);
  // The next message; one with nothing set where the stream has ended.
  wire::FromServer read();
  // Reads until the server sends a rejection, and returns its text; empty where the stream ends without one.
  std::string rejection();
  void hang_up();  // ends the stream without a message

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<wire::Hub::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<wire::FromSite, wire::FromServer>> stream_;
};

// Sends these bytes as the messages of a Join stream and returns when the server has ended it.
void join_raw(const std::string& address, const TlsTexts& tls, const std::vector<std::string>& messages);

}  // namespace driftless
