// A site that says whatever a test wants, over the real wire.
#pragma once

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
  ~RawSite();
  RawSite(const RawSite&) = delete;
  RawSite& operator=(const RawSite&) = delete;

  wire::Offer look(const std::string& version);
  void open();                                                              // the stream, without a greeting
  void greet(const std::string& version, std::uint64_t next_exchange = 0);  // to the run that `look` offers
  void send(const wire::FromSite& message);
  void send_piece(std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values);
  // The next message; one with nothing set where the stream has ended.
  wire::FromServer read();
  // Reads on until the server refuses something, and says what; empty where the stream ends without.
  std::string refusal();

 private:
  std::unique_ptr<wire::Hub::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<wire::FromSite, wire::FromServer>> stream_;
};

}  // namespace driftless
