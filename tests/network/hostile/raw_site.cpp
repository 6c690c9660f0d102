#include "tests/network/hostile/raw_site.hpp"

#include "driftless/files/digest.hpp"

#include "tests/support/temp_folder.hpp"

#include <grpcpp/generic/generic_stub.h>

namespace driftless {
namespace {

std::chrono::system_clock::time_point in_seconds(int seconds) {
  return std::chrono::system_clock::now() + std::chrono::seconds(seconds);
}

std::shared_ptr<grpc::Channel> channel_to(const std::string& address, const TlsTexts& tls) {
  const auto credentials = grpc::SslCredentials(
      {.pem_root_certs = tls.authority, .pem_private_key = tls.key, .pem_cert_chain = tls.certificate});
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

grpc::ByteBuffer buffer_of(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

// One step of an asynchronous call; false where it failed.
bool finished(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool good = false;
  return queue.Next(&tag, &good) && good;
}

}  // namespace

RawSite::RawSite(const std::string& address, const std::filesystem::path& certificates)
    : RawSite(address, {.certificate = TempFolder::read(certificates / "cert.pem"),
                        .key = TempFolder::read(certificates / "key.pem"),
                        .authority = TempFolder::read(certificates / "ca.pem")}) {}

RawSite::RawSite(const std::string& address, const TlsTexts& tls)
    : channel_(channel_to(address, tls)), stub_(wire::Hub::NewStub(channel_)) {
  context_.set_deadline(in_seconds(60));
}

RawSite::~RawSite() { hang_up(); }

void RawSite::hang_up() {
  if (!stream_) return;
  context_.TryCancel();
  stream_->Finish();
  stream_.reset();
}

wire::Offer RawSite::look(const std::string& version) {
  grpc::ClientContext context;
  context.set_deadline(in_seconds(20));
  context.set_wait_for_ready(true);
  wire::LookRequest request;
  request.set_version(version);
  wire::Offer offer;
  const grpc::Status status = stub_->Look(&context, request, &offer);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return offer;
}

std::string RawSite::call_raw(const std::string& method, const std::string& bytes) {
  grpc::GenericStub generic(channel_);
  grpc::ClientContext context;
  context.set_deadline(in_seconds(20));
  context.set_wait_for_ready(true);
  grpc::CompletionQueue queue;
  const auto call = generic.PrepareUnaryCall(&context, "/driftless.wire.Hub/" + method, buffer_of(bytes), &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  finished(queue);
  if (!status.ok()) return status.error_message();
  grpc::Slice slice;
  EXPECT_TRUE(answer.DumpToSingleSlice(&slice).ok());
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
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

bool RawSite::send(const wire::FromSite& message) { return stream_->Write(message); }

void RawSite::send_chunk(std::uint64_t exchange, std::uint64_t index, const std::vector<double>& values,
                         std::uint32_t attempt) {
  wire::FromSite message;
  message.mutable_chunk()->set_exchange(exchange);
  message.mutable_chunk()->set_attempt(attempt);
  message.mutable_chunk()->set_index(index);
  message.mutable_chunk()->mutable_values()->assign(reinterpret_cast<const char*>(values.data()),
                                                    values.size() * sizeof(double));
  send(message);
}

wire::FromServer RawSite::read() {
  wire::FromServer message;
  if (!stream_->Read(&message)) message.Clear();
  return message;
}

std::string RawSite::rejection() {
  wire::FromServer message;
  while (stream_->Read(&message))
    if (message.has_rejection()) return message.rejection().what();
  return "";
}

void join_raw(const std::string& address, const TlsTexts& tls, const std::vector<std::string>& messages) {
  grpc::GenericStub generic(channel_to(address, tls));
  grpc::ClientContext context;
  context.set_deadline(in_seconds(20));
  context.set_wait_for_ready(true);
  grpc::CompletionQueue queue;
  const auto stream = generic.PrepareCall(&context, "/driftless.wire.Hub/Join", &queue);
  stream->StartCall(nullptr);
  bool open = finished(queue);
  for (const std::string& message : messages) {
    if (!open) break;
    stream->Write(buffer_of(message), nullptr);
    open = finished(queue);
  }
  grpc::ByteBuffer answer;
  while (open) {
    stream->Read(&answer, nullptr);
    open = finished(queue);
  }
  grpc::Status status;
  stream->Finish(&status, nullptr);
  finished(queue);
}

}  // namespace driftless
