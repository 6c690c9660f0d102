#include "driftless/network/grpc/site_connection.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/core/text.hpp"
#include "driftless/network/grpc/link_limits.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>
#include <cstring>

namespace driftless::detail {
namespace {

std::shared_ptr<grpc::Channel> channel_to(const GrpcSiteOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  set_limits_of_link(options.latency, [&](const char* name, int value) { arguments.SetInt(name, value); });
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, handshake_ms(20.0, options.latency));
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
  throw TransportError({.what = "the server sent an invalid message",
                        .seen = seen,
                        .advice = "use the same program at the server and at all sites, and ask who runs the server"});
}

ExchangeId exchange_of(const ServerMessage& message) {
  if (const auto* chunk = std::get_if<TotalChunk>(&message)) return chunk->exchange;
  if (const auto* done = std::get_if<Done>(&message)) return done->exchange;
  if (const auto* repeat = std::get_if<Repeat>(&message)) return repeat->exchange;
  if (const auto* unmask = std::get_if<Unmask>(&message)) return unmask->exchange;
  reject("a second welcome");
}

}  // namespace

Unreachable::Unreachable(const GrpcSiteOptions& options, const std::string& why)
    : TransportError({.what = "the server cannot be reached",
                      .seen = options.address + ": " + why,
                      .advice = options.tls
                                    ? "make sure that it is running, that both certificates are from the same CA, "
                                      "valid and not revoked, and that the server's names this address; "
                                      "'driftless preflight' tells which"
                                    : "make sure that it is running, at this address and also with --plain"}) {}

SiteConnection::SiteConnection(const GrpcSiteOptions& options, double seconds)
    : options_(options), channel_(channel_to(options)), stub_(wire::Hub::NewStub(channel_)) {
  constexpr double look_seconds = 0.2;  // at the stop token
  const double limit = seconds + handshake_round_trips * options.latency;
  for (double left = limit; !connected_ && left > 0.0 && !options.stop_token.stop_requested(); left -= look_seconds)
    connected_ = channel_->WaitForConnected(in(std::min(left, look_seconds)));
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

// TLS has checked the authority and the address, but not the list of revoked certificates.
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
  context.set_deadline(in(options_.first_contact + options_.latency));
  request.set_version(options_.version);
  request.set_site(options_.site);
  Reply reply;
  const grpc::Status status = (stub_.get()->*method)(&context, request, &reply);
  if (!status.ok()) throw Unreachable(options_, printable(status.error_message()));
  require_certificate(context);
  return reply;
}

SiteOffer SiteConnection::query_offer() {
  return parse(call(&wire::Hub::Stub::Look, wire::LookRequest()), options_.site);
}

SiteComparison SiteConnection::compare(const SiteFacts& own) {
  wire::CompareRequest request;
  request.mutable_facts()->set_rows(own.rows);
  request.mutable_facts()->set_columns(own.columns);
  for (const double label : own.labels) request.mutable_facts()->add_labels(label);
  return parse(call(&wire::Hub::Stub::Compare, request));
}

void SiteConnection::decline(const ErrorInfo& reason) {
  wire::DeclineRequest request;
  request.set_what(reason.what);
  request.set_seen(reason.seen);
  parse(call(&wire::Hub::Stub::Decline, request));
}

KeysOfSites SiteConnection::keys(const std::string& run, const Announcement& own,
                                 const std::vector<std::string>& sealed_shares) {
  wire::KeysRequest request;
  request.set_run(run);
  fill(own, *request.mutable_announcement());
  for (const std::string& share : sealed_shares) request.add_shares(share);
  return parse(call(&wire::Hub::Stub::Keys, request));
}

ExchangeId SiteConnection::secure(const std::string& run, ExchangeId before) {
  wire::SecureRequest request;
  request.set_run(run);
  request.set_before(before);
  pad(request, options_.latency);
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
  if (const auto* rejection = std::get_if<Rejection>(&first)) return {.rejection = *rejection};
  const auto* welcome = std::get_if<Welcome>(&first);
  if (welcome == nullptr) reject("its first message is not a welcome");
  live_ = welcome->live;
  welcomed_ = std::chrono::steady_clock::now();
  reader_ = std::thread([this] { read(); });
  return {};
}

// Nobody waits for the news of a checkpoint.
bool SiteConnection::write(const wire::FromSite& message) {
  if (message.has_checkpoint() || !needs_padding(message, options_.latency)) return stream_->Write(message);
  wire::FromSite padded = message;
  pad(padded, options_.latency);
  return stream_->Write(padded);
}

void SiteConnection::leave() {
  stream_->WritesDone();
  std::unique_lock lock(mutex_);
  leaving_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, std::chrono::duration<double>(10.0 + options_.latency), [&] { return broken_; });
}

bool SiteConnection::useful() {
  const std::lock_guard lock(mutex_);
  return delivered_total_ || (joined() && std::chrono::steady_clock::now() - welcomed_ > std::chrono::seconds(1));
}

void SiteConnection::expect(ExchangeId id, std::size_t width, Addition addition) {
  const std::lock_guard lock(mutex_);
  expected_ = id;
  addition_ = addition;
  values_.resize(width);
  received_ = 0;
  attempt_ = 0;
  absent_.clear();
  unmask_.reset();
  done_ = false;
  expecting_ = true;
  changed_.notify_all();
}

SiteConnection::Event SiteConnection::event(std::uint32_t attempt, double seconds) {
  std::unique_lock lock(mutex_);
  const auto now = [&] {
    if (done_) return Event::done;
    if (rejection_) return Event::rejected;
    if (broken_) return Event::broken;
    if (attempt_ != attempt) return Event::repeat;
    return unmask_ ? Event::unmask : Event::nothing;
  };
  changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return now() != Event::nothing; });
  return now();
}

std::uint32_t SiteConnection::attempt() {
  const std::lock_guard lock(mutex_);
  return attempt_;
}

std::vector<ClientId> SiteConnection::absent() {
  const std::lock_guard lock(mutex_);
  return absent_;
}

Unmask SiteConnection::take_unmask() {
  const std::lock_guard lock(mutex_);
  Unmask taken = *std::move(unmask_);
  unmask_.reset();
  return taken;
}

Done SiteConnection::take(std::span<double> total) {
  const std::lock_guard lock(mutex_);
  expecting_ = false;
  std::ranges::copy(values_, total.begin());
  return std::move(total_);
}

bool SiteConnection::abandons(ExchangeId id) {
  const std::lock_guard lock(mutex_);
  return abandoned_ == id;
}

bool SiteConnection::broken() {
  const std::lock_guard lock(mutex_);
  return broken_ && !rejection_;
}

bool SiteConnection::rejected() {
  const std::lock_guard lock(mutex_);
  return rejection_.has_value();
}

Rejection SiteConnection::rejection() {
  const std::lock_guard lock(mutex_);
  return *rejection_;
}

void SiteConnection::read() {
  wire::FromServer message;
  while (stream_->Read(&message)) {
    std::unique_lock lock(mutex_);
    try {
      const ServerMessage parsed = parse(message, layout_.clients);
      if (const auto* rejection = std::get_if<Rejection>(&parsed)) {
        rejection_ = *rejection;
      } else {
        note_abandonment(parsed);
        // A total may arrive before this site needs it. Not reading further keeps the server from sending more.
        changed_.wait(lock, [&] { return closing_ || leaving_ || (expecting_ && !done_); });
        if (closing_) break;
        if (leaving_) continue;  // nothing waits for this total, but the end of the stream follows it
        handle(parsed);
      }
    } catch (const Error& error) {
      rejection_ = Rejection(error.kind(), error.info());
      context_.TryCancel();
    }
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  broken_ = true;
  changed_.notify_all();
}

// Clients in long local work ask for it before this site waits for the total.
void SiteConnection::note_abandonment(const ServerMessage& message) {
  if (const auto* done = std::get_if<Done>(&message); done != nullptr && abandons_round(done->agreement.signal))
    abandoned_ = done->exchange;
}

void SiteConnection::handle(const ServerMessage& message) {
  if (exchange_of(message) != expected_)
    reject("exchange " + std::to_string(exchange_of(message)) + ", this site is at " + std::to_string(expected_));
  if (const auto* chunk = std::get_if<TotalChunk>(&message)) return take_chunk(*chunk);
  if (const auto* repeat = std::get_if<Repeat>(&message)) return take_repeat(*repeat);
  if (const auto* unmask = std::get_if<Unmask>(&message)) return take_unmask(*unmask);
  take_done(std::get<Done>(message));
}

// At most one attempt for each site that was dropped: otherwise a server could request rows for ever.
void SiteConnection::take_repeat(const Repeat& repeat) {
  if (repeat.attempt <= attempt_ || repeat.attempt >= layout_.peers)
    reject("attempt " + std::to_string(repeat.attempt) + " after attempt " + std::to_string(attempt_) + ", with " +
           std::to_string(layout_.peers) + " peers");
  attempt_ = repeat.attempt;
  absent_ = repeat.absent;
  unmask_.reset();
  received_ = 0;
}

void SiteConnection::take_unmask(const Unmask& unmask) {
  if (unmask.attempt != attempt_)
    reject("it asks for masks of attempt " + std::to_string(unmask.attempt) + " of exchange " +
           std::to_string(unmask.exchange) + ", this site is at attempt " + std::to_string(attempt_));
  unmask_ = unmask;
}

void SiteConnection::take_done(const Done& done) {
  if (received_ != Chunks{values_.size()}.count() && !abandons_round(done.agreement.signal))
    reject("the end of total " + std::to_string(expected_) + " before its last chunk");
  for (const ClientId id : layout_.hosted)
    if (std::ranges::binary_search(done.agreement.absent, id))
      reject("it dropped client " + std::to_string(id) + " of this site and still sends totals");
  total_ = done;
  done_ = true;
  delivered_total_ = true;
}

void SiteConnection::take_chunk(const TotalChunk& chunk) {
  const Chunks chunks{values_.size()};
  const std::string where = "total " + std::to_string(expected_) + ", chunk " + std::to_string(chunk.index);
  if (chunk.attempt != attempt_ || chunk.index != received_ || received_ >= chunks.count())
    reject(where + ", expected " + std::to_string(received_) + " of " + std::to_string(chunks.count()));
  if (chunk.bytes.size() != chunks.size(received_) * sizeof(double))
    reject(where + ": " + std::to_string(chunk.bytes.size()) + " bytes");
  const std::span<double> values = std::span(values_).subspan(chunks.first(received_), chunks.size(received_));
  std::memcpy(values.data(), chunk.bytes.data(), chunk.bytes.size());
  // A total is a sum of at most as many rows as there are clients.
  const double most = largest_entry * static_cast<double>(layout_.clients);
  if (addition_ == Addition::real && !range_of(values, most).inside)
    reject(where + ", entry " + std::to_string(chunks.first(received_) + first_outside(values, most)) + ": " +
           number(values[first_outside(values, most)]));
  ++received_;
}

}  // namespace driftless::detail
