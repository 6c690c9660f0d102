#include "tests/network/raw_site.hpp"

#include "driftless/data/digest.hpp"

#include "tests/data/temp_folder.hpp"

namespace driftless {

RawSite::RawSite(const std::string& address, const std::filesystem::path& certificates) {
  const auto credentials = grpc::SslCredentials({.pem_root_certs = TempFolder::read(certificates / "ca.pem"),
                                                 .pem_private_key = TempFolder::read(certificates / "key.pem"),
                                                 .pem_cert_chain = TempFolder::read(certificates / "cert.pem")});
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  stub_ = wire::Hub::NewStub(grpc::CreateCustomChannel(address, credentials, arguments));
  context_.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
}

RawSite::~RawSite() {
  if (!stream_) return;
  context_.TryCancel();
  stream_->Finish();
}

wire::Offer RawSite::look(const std::string& version) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  context.set_wait_for_ready(true);
  wire::LookRequest request;
  request.set_version(version);
  wire::Offer offer;
  const grpc::Status status = stub_->Look(&context, request, &offer);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return offer;
}

void RawSite::open() {
  context_.set_wait_for_ready(true);
  stream_ = stub_->Join(&context_);
}

void RawSite::greet(const std::string& version, std::uint64_t next_exchange) {
  const wire::Offer offer = look(version);
  open();
  wire::FromSite message;
  message.mutable_hello()->set_version(version);
  message.mutable_hello()->set_run(offer.run());
  message.mutable_hello()->set_configuration_digest(sha256(offer.configuration()));
  message.mutable_hello()->set_next_exchange(next_exchange);
  send(message);
}

void RawSite::send(const wire::FromSite& message) { stream_->Write(message); }

void RawSite::send_piece(std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values) {
  wire::FromSite message;
  message.mutable_piece()->set_exchange(exchange);
  message.mutable_piece()->set_index(index);
  message.mutable_piece()->mutable_values()->assign(reinterpret_cast<const char*>(values.data()),
                                                    values.size() * sizeof(double));
  send(message);
}

wire::FromServer RawSite::read() {
  wire::FromServer message;
  if (!stream_->Read(&message)) message.Clear();
  return message;
}

std::string RawSite::refusal() {
  wire::FromServer message;
  while (stream_->Read(&message))
    if (message.has_refusal()) return message.refusal().what();
  return "";
}

}  // namespace driftless
