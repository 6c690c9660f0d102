#include "tests/network/hostile/raw_server.hpp"

namespace driftless {

class RawServer::Service final : public wire::Hub::Service {
 public:
  explicit Service(Answers answers) : answers_(std::move(answers)) {}

  grpc::Status Look(grpc::ServerContext*, const wire::LookRequest*, wire::Offer* offer) override {
    *offer = answers_.offer;
    return status();
  }
  grpc::Status Compare(grpc::ServerContext*, const wire::CompareRequest*, wire::Comparison* comparison) override {
    *comparison = answers_.comparison;
    return status();
  }
  grpc::Status Secure(grpc::ServerContext*, const wire::SecureRequest*, wire::SecureReply* reply) override {
    *reply = answers_.secure;
    return status();
  }
  grpc::Status Join(grpc::ServerContext*, Stream* stream) override {
    wire::FromSite message;
    if (!stream->Read(&message)) return status();
    {
      const std::lock_guard lock(mutex_);
      ++joins_;
    }
    for (const wire::FromServer& answer : answers_.stream)
      if (!stream->Write(answer)) break;
    while (!answers_.closes && stream->Read(&message)) {
      const std::lock_guard lock(mutex_);
      received_.push_back(message);
    }
    return status();
  }

  std::vector<wire::FromSite> received() const {
    const std::lock_guard lock(mutex_);
    return received_;
  }
  std::size_t joins() const {
    const std::lock_guard lock(mutex_);
    return joins_;
  }

 private:
  grpc::Status status() const {
    return answers_.status.empty() ? grpc::Status::OK : grpc::Status(grpc::StatusCode::UNAVAILABLE, answers_.status);
  }

  const Answers answers_;
  mutable std::mutex mutex_;
  std::vector<wire::FromSite> received_;
  std::size_t joins_ = 0;
};

RawServer::RawServer(const std::optional<TlsTexts>& tls, Answers answers)
    : service_(std::make_unique<Service>(std::move(answers))) {
  std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
  if (tls) {
    grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    options.pem_root_certs = tls->authority;
    options.pem_key_cert_pairs.push_back({tls->key, tls->certificate});
    credentials = grpc::SslServerCredentials(options);
  }
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", credentials, &port_);
  builder.RegisterService(service_.get());
  server_ = builder.BuildAndStart();
}

RawServer::~RawServer() {
  server_->Shutdown(std::chrono::system_clock::now());
  server_->Wait();
}

std::vector<wire::FromSite> RawServer::received() const { return service_->received(); }
std::size_t RawServer::joins() const { return service_->joins(); }

}  // namespace driftless
