#include "driftless/network/grpc/site_connection.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/network/grpc/keepalive.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>
#include <cstring>

namespace driftless::detail {
namespace {

std::shared_ptr<grpc::Channel> channel_to(const GrpcSiteOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, keepalive_ms);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, keepalive_ms);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(most_message_bytes);
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (options.tls)
    credentials = grpc::SslCredentials({.pem_root_certs = options.tls->authority,
                                        .pem_private_key = options.tls->key,
                                        .pem_cert_chain = options.tls->certificate});
  return grpc::CreateCustomChannel(options.address, credentials, arguments);
}

std::chrono::system_clock::time_point in(double seconds) {
  return std::chrono::system_clock::now() +
         std::chrono::duration_cast<std::chrono::system_clock::duration>(std::chrono::duration<double>(seconds));
}

[[noreturn]] void reject(const std::string& seen) {
  throw TransportError({.what = "the server sent something that makes no sense here",
                        .seen = seen,
                        .advice = "use the same program at the server and at all sites, and ask who runs the server"});
}

ExchangeId exchange_of(const ServerMessage& message) {
  if (const auto* piece = std::get_if<TotalPiece>(&message)) return piece->exchange;
  if (const auto* done = std::get_if<Done>(&message)) return done->exchange;
  if (const auto* again = std::get_if<Again>(&message)) return again->exchange;
  reject("a second welcome");
}

}  // namespace

Unreachable::Unreachable(const GrpcSiteOptions& options, const std::string& why)
    : TransportError({.what = "the server cannot be reached",
                      .seen = options.address + ": " + why,
                      .advice = options.tls ? "see that it is running, that both certificates are from the same CA, "
                                              "valid and not revoked, and that the server's names this address; "
                                              "'driftless preflight' tells which"
                                            : "see that it is running, at this address and also with --plain"}) {}

SiteConnection::SiteConnection(const GrpcSiteOptions& options, double seconds)
    : options_(options), channel_(channel_to(options)), stub_(wire::Hub::NewStub(channel_)) {
  connected_ = channel_->WaitForConnected(in(seconds));
}

SiteConnection::~SiteConnection() {
  if (!stream_) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
  }
  context_.TryCancel();
  if (reader_.joinable()) reader_.join();
  stream_->Finish();
}

// TLS has checked the authority and the address; a list of revoked certificates it does not know.
void SiteConnection::require_certificate(const grpc::ClientContext& context) const {
  if (!options_.tls || !options_.check_certificate) return;
  const auto values = context.auth_context()->FindPropertyValues(GRPC_X509_PEM_CERT_PROPERTY_NAME);
  const std::string pem = values.empty() ? "" : std::string(values.front().data(), values.front().size());
  if (const auto fault = options_.check_certificate(pem)) throw TransportError(*fault);
}

template <class Request, class Reply>
Reply SiteConnection::call(grpc::Status (wire::Hub::Stub::*method)(grpc::ClientContext*, const Request&, Reply*),
                           Request request) {
  grpc::ClientContext context;
  context.set_deadline(in(options_.first_contact));
  request.set_version(options_.version);
  request.set_site(options_.site);
  Reply reply;
  const grpc::Status status = (stub_.get()->*method)(&context, request, &reply);
  if (!status.ok()) throw Unreachable(options_, printable(status.error_message()));
  require_certificate(context);
  return reply;
}

SiteOffer SiteConnection::look() { return parse(call(&wire::Hub::Stub::Look, wire::LookRequest()), options_.site); }

SiteComparison SiteConnection::compare(const SiteFacts& own) {
  wire::CompareRequest request;
  request.mutable_facts()->set_rows(own.rows);
  request.mutable_facts()->set_columns(own.columns);
  for (const double label : own.labels) request.mutable_facts()->add_labels(label);
  return parse(call(&wire::Hub::Stub::Compare, request));
}

ExchangeId SiteConnection::secure(const std::string& run, ExchangeId before) {
  wire::SecureRequest request;
  request.set_run(run);
  request.set_before(before);
  return parse(call(&wire::Hub::Stub::Secure, request));
}

SiteConnection::Answer SiteConnection::greet(const Greeting& greeting, const Layout& layout) {
  layout_ = layout;
  wire::FromSite message;
  wire::Hello& hello = *message.mutable_hello();
  hello.set_version(options_.version);
  hello.set_site(options_.site);
  hello.set_run(greeting.run);
  hello.set_configuration_digest(greeting.configuration_digest);
  hello.set_next_exchange(greeting.next);
  fill(greeting.history, *hello.mutable_history());
  hello.set_finished(greeting.finished);
  stream_ = stub_->Join(&context_);
  wire::FromServer answer;
  if (!stream_->Write(message) || !stream_->Read(&answer)) return {.broken = true};
  require_certificate(context_);
  const ServerMessage first = parse(answer, layout_.clients);
  if (const auto* rejected = std::get_if<Rejection>(&first)) return {.rejected = *rejected};
  const auto* welcome = std::get_if<Welcome>(&first);
  if (welcome == nullptr) reject("its first message is not a welcome");
  live_ = welcome->live;
  welcomed_ = std::chrono::steady_clock::now();
  reader_ = std::thread([this] { read(); });
  return {};
}

void SiteConnection::leave() {
  stream_->WritesDone();
  std::unique_lock lock(mutex_);
  leaving_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, std::chrono::seconds(10), [&] { return broken_; });
}

bool SiteConnection::useful() {
  const std::lock_guard lock(mutex_);
  return brought_total_ || (joined() && std::chrono::steady_clock::now() - welcomed_ > std::chrono::seconds(1));
}

void SiteConnection::expect(ExchangeId id, std::size_t width) {
  const std::lock_guard lock(mutex_);
  expected_ = id;
  values_.resize(width);
  received_ = 0;
  attempt_ = 0;
  done_ = false;
  expecting_ = true;
  changed_.notify_all();
}

SiteConnection::Event SiteConnection::event(std::uint32_t attempt, double seconds) {
  std::unique_lock lock(mutex_);
  const auto now = [&] {
    if (done_) return Event::done;
    if (rejected_) return Event::rejected;
    if (broken_) return Event::broken;
    return attempt_ != attempt ? Event::again : Event::nothing;
  };
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return now() != Event::nothing; });
  return now();
}

std::uint32_t SiteConnection::attempt() {
  const std::lock_guard lock(mutex_);
  return attempt_;
}

Done SiteConnection::take(std::span<double> total) {
  const std::lock_guard lock(mutex_);
  expecting_ = false;
  std::ranges::copy(values_, total.begin());
  return std::move(total_);
}

Rejection SiteConnection::rejection() {
  const std::lock_guard lock(mutex_);
  return *rejected_;
}

void SiteConnection::read() {
  wire::FromServer message;
  while (stream_->Read(&message)) {
    std::unique_lock lock(mutex_);
    try {
      const ServerMessage parsed = parse(message, layout_.clients);
      if (const auto* rejected = std::get_if<Rejection>(&parsed)) {
        rejected_ = *rejected;
      } else {
        // Totals may come before this site gets there; not reading on keeps the server from sending more.
        changed_.wait(lock, [&] { return closing_ || leaving_ || (expecting_ && !done_); });
        if (closing_) break;
        if (leaving_) continue;  // nobody waits for this total, but the end of the stream is behind it
        take_in(parsed);
      }
    } catch (const Error& error) {
      rejected_ = Rejection(error.kind(), error.info());
      context_.TryCancel();
    }
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  broken_ = true;
  changed_.notify_all();
}

void SiteConnection::take_in(const ServerMessage& message) {
  if (exchange_of(message) != expected_)
    reject("exchange " + std::to_string(exchange_of(message)) + ", this site is at " + std::to_string(expected_));
  if (const auto* piece = std::get_if<TotalPiece>(&message)) return take_piece(*piece);
  if (const auto* again = std::get_if<Again>(&message)) return take_again(*again);
  take_done(std::get<Done>(message));
}

// One attempt for each site that was dropped: otherwise a server could have rows sent for ever.
void SiteConnection::take_again(const Again& again) {
  if (again.attempt <= attempt_ || again.attempt >= layout_.peers)
    reject("attempt " + std::to_string(again.attempt) + " after attempt " + std::to_string(attempt_) + ", with " +
           std::to_string(layout_.peers) + " peers");
  attempt_ = again.attempt;
  received_ = 0;
}

void SiteConnection::take_done(const Done& done) {
  if (received_ != Pieces{values_.size()}.count())
    reject("the end of total " + std::to_string(expected_) + " before its last piece");
  for (const ClientId id : layout_.hosted)
    if (std::ranges::binary_search(done.agreement.absent, id))
      reject("it dropped client " + std::to_string(id) + " of this site and still sends totals");
  total_ = done;
  done_ = true;
  brought_total_ = true;
}

void SiteConnection::take_piece(const TotalPiece& piece) {
  const Pieces pieces{values_.size()};
  const std::string where = "total " + std::to_string(expected_) + ", piece " + std::to_string(piece.index);
  if (piece.attempt != attempt_ || piece.index != received_ || received_ >= pieces.count())
    reject(where + ", expected " + std::to_string(received_) + " of " + std::to_string(pieces.count()));
  if (piece.bytes.size() != pieces.size(received_) * sizeof(double))
    reject(where + ": " + std::to_string(piece.bytes.size()) + " bytes");
  const std::span<double> values = std::span(values_).subspan(pieces.first(received_), pieces.size(received_));
  std::memcpy(values.data(), piece.bytes.data(), piece.bytes.size());
  // A total is a sum of as many rows as there are clients, at most.
  const double most = largest_entry * static_cast<double>(layout_.clients);
  if (!range_of(values, most).inside)
    reject(where + ", entry " + std::to_string(pieces.first(received_) + first_outside(values, most)) + ": " +
           number(values[first_outside(values, most)]));
  ++received_;
}

}  // namespace driftless::detail
