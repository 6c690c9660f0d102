#include "driftless/transports/grpc_site.hpp"

#include "driftless/transports/wire.hpp"

#include <thread>

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto retry_after = std::chrono::milliseconds(200);

std::shared_ptr<grpc::Channel> channel_to(const GrpcSiteOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, detail::keepalive_ms);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, detail::keepalive_ms);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetMaxReceiveMessageSize(detail::most_message_bytes);
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

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

TransportError unreachable(const GrpcSiteOptions& options, const std::string& why) {
  return TransportError({.what = "the server cannot be reached",
                         .seen = options.address + ": " + why,
                         .advice = options.tls ? "see that it is running, that both certificates are from the same CA, "
                                                 "valid and not revoked, and that the server's names this address; "
                                                 "'driftless preflight' tells which"
                                               : "see that it is running, at this address and also with --plain"});
}

[[noreturn]] void raise(const Refused& refused) { throw Error(refused.code, refused.trouble); }

}  // namespace

// One stream, with a thread that reads it.
class GrpcSite::Connection {
 public:
  Connection(const GrpcSiteOptions& options, double seconds)
      : stub_(wire::Hub::NewStub(channel_ = channel_to(options))) {
    connected_ = channel_->WaitForConnected(in(seconds));
  }
  ~Connection() {
    if (!stream_) return;
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      changed_.notify_all();
    }
    context_.TryCancel();
    reader_.join();
    stream_->Finish();
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool connected() const { return connected_; }
  bool joined() const { return stream_ != nullptr; }

  wire::Offer look(const GrpcSiteOptions& options) {
    grpc::ClientContext context;
    context.set_deadline(in(options.first_contact));
    wire::LookRequest request;
    request.set_version(options.version);
    request.set_site(options.site);
    wire::Offer offer;
    const grpc::Status status = stub_->Look(&context, request, &offer);
    if (!status.ok()) throw unreachable(options, status.error_message());
    return offer;
  }

  wire::Comparison compare(const GrpcSiteOptions& options, const SiteFacts& own) {
    grpc::ClientContext context;
    context.set_deadline(in(options.first_contact));
    wire::CompareRequest request;
    request.set_version(options.version);
    request.set_site(options.site);
    request.mutable_facts()->set_rows(own.rows);
    request.mutable_facts()->set_columns(own.columns);
    for (const double label : own.labels) request.mutable_facts()->add_labels(label);
    wire::Comparison comparison;
    const grpc::Status status = stub_->Compare(&context, request, &comparison);
    if (!status.ok()) throw unreachable(options, status.error_message());
    return comparison;
  }

  // None where the stream broke at once.
  std::optional<wire::FromServer> greet(const wire::Hello& hello) {
    stream_ = stub_->Join(&context_);
    wire::FromSite message;
    *message.mutable_hello() = hello;
    wire::FromServer answer;
    const bool answered = stream_->Write(message) && stream_->Read(&answer);
    if (answered && answer.has_welcome()) {
      live_ = answer.welcome().live();
      absent_.assign(answer.welcome().absent().begin(), answer.welcome().absent().end());
    }
    reader_ = std::thread([this] { read(); });
    return answered ? std::optional(answer) : std::nullopt;
  }

  ExchangeId live() const { return live_; }
  const std::vector<ClientId>& absent() const { return absent_; }

  bool write(const wire::FromSite& message) { return stream_->Write(message); }
  void leave() {  // waits until the server has read everything
    stream_->WritesDone();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return broken_; });
  }

  void expect(ExchangeId id, std::size_t width) {
    const std::lock_guard lock(mutex_);
    expected_ = id;
    values_.resize(width);
    received_ = 0;
    attempt_ = 0;
    done_ = false;
    expecting_ = true;
    changed_.notify_all();
  }

  enum class Event { done, again, broken, refused, nothing };
  // Whether something happened since attempt `attempt` began; waits up to `seconds` for it.
  Event event(std::uint32_t attempt, double seconds) {
    std::unique_lock lock(mutex_);
    const auto now = [&] {
      if (done_) return Event::done;
      if (refused_) return Event::refused;
      if (broken_) return Event::broken;
      return attempt_ != attempt ? Event::again : Event::nothing;
    };
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return now() != Event::nothing; });
    return now();
  }
  std::uint32_t attempt() {
    const std::lock_guard lock(mutex_);
    return attempt_;
  }
  News take(std::span<double> total) {
    const std::lock_guard lock(mutex_);
    expecting_ = false;
    std::ranges::copy(values_, total.begin());
    return std::move(news_);
  }
  Refused refusal() {
    const std::lock_guard lock(mutex_);
    return *refused_;
  }

 private:
  void read() {
    wire::FromServer message;
    while (stream_->Read(&message)) {
      std::unique_lock lock(mutex_);
      if (message.has_refusal()) {
        refused_ = detail::refused_of(message.refusal());
        changed_.notify_all();
        continue;
      }
      const ExchangeId id = message.has_piece()  ? message.piece().exchange()
                            : message.has_done() ? message.done().exchange()
                                                 : message.again().exchange();
      // Totals may come before this site gets there; not reading on keeps the server from sending more.
      changed_.wait(lock, [&] { return closing_ || (expecting_ && !done_ && expected_ >= id); });
      if (closing_) break;
      if (!take_in(message, id)) {
        refused_ = Refused{ExitCode::connection,
                           {.what = "the server sent something that makes no sense here",
                            .seen = "at exchange " + std::to_string(expected_),
                            .advice = "use the same program at the server and at all sites"}};
      }
      changed_.notify_all();
    }
    const std::lock_guard lock(mutex_);
    broken_ = true;
    changed_.notify_all();
  }

  bool take_in(const wire::FromServer& message, ExchangeId id) {
    if (id != expected_) return false;
    if (message.has_again()) {
      attempt_ = message.again().attempt();
      received_ = 0;
      return true;
    }
    const Pieces pieces{values_.size()};
    if (message.has_done()) {
      news_ = {.word = message.done().word(),
               .absent = {message.done().absent().begin(), message.done().absent().end()}};
      done_ = received_ == pieces.count();
      return done_;
    }
    if (!message.has_piece()) return false;
    const wire::Piece& piece = message.piece();
    if (piece.attempt() != attempt_ || piece.index() != received_ || received_ >= pieces.count()) return false;
    if (piece.values().size() != pieces.size(received_) * sizeof(double)) return false;
    std::memcpy(&values_[pieces.first(received_)], piece.values().data(), piece.values().size());
    ++received_;
    return true;
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<wire::Hub::Stub> stub_;
  bool connected_ = false;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<wire::FromSite, wire::FromServer>> stream_;
  std::thread reader_;
  ExchangeId live_ = 0;
  std::vector<ClientId> absent_;

  std::mutex mutex_;
  std::condition_variable changed_;
  bool closing_ = false;
  bool broken_ = false;
  std::optional<Refused> refused_;
  bool expecting_ = false;
  ExchangeId expected_ = 0;
  std::vector<double> values_;
  std::size_t received_ = 0;
  std::uint32_t attempt_ = 0;
  bool done_ = false;
  News news_;
};

GrpcSite::GrpcSite(GrpcSiteOptions options) : options_(std::move(options)) {}
GrpcSite::~GrpcSite() = default;

void GrpcSite::tell(const std::string& event) const {
  if (options_.on_event) options_.on_event(event);
}

std::unique_ptr<GrpcSite::Connection> GrpcSite::first_contact() const {
  auto connection = std::make_unique<Connection>(options_, options_.first_contact);
  if (connection->connected()) return connection;
  throw unreachable(options_, "no connection within " + number(options_.first_contact) + " s");
}

SiteComparison GrpcSite::compare(const SiteFacts& own) {
  const wire::Comparison comparison = first_contact()->compare(options_, own);
  if (comparison.has_refusal()) raise(detail::refused_of(comparison.refusal()));
  SiteComparison result;
  for (const wire::SiteFacts& facts : comparison.known())
    result.known.push_back({.site = facts.site(),
                            .rows = facts.rows(),
                            .columns = facts.columns(),
                            .labels = {facts.labels().begin(), facts.labels().end()}});
  result.unknown.assign(comparison.unknown().begin(), comparison.unknown().end());
  return result;
}

SiteOffer GrpcSite::look() {
  const wire::Offer offer = first_contact()->look(options_);
  if (offer.has_refusal()) raise(detail::refused_of(offer.refusal()));
  SiteOffer result{.run = offer.run(), .site = offer.site(), .configuration = offer.configuration(), .layout = {}};
  result.clock_ahead =
      offer.time() - std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  result.layout.clients = offer.clients();
  result.layout.peers = offer.peers();
  result.layout.rank = offer.rank();
  result.layout.hosted.assign(offer.hosted().begin(), offer.hosted().end());
  return result;
}

void GrpcSite::accept(const SiteOffer& offer, std::string configuration_digest) {
  offer_ = offer;
  configuration_digest_ = std::move(configuration_digest);
}

void GrpcSite::connect(ExchangeId next) {
  const auto start = Clock::now();
  const bool broken = connection_ != nullptr;
  const double patience = was_connected_ ? options_.grace : options_.first_contact;
  if (broken) tell("the connection is lost; trying again for up to " + number(patience) + " s");
  wire::Hello hello;
  hello.set_version(options_.version);
  hello.set_site(options_.site);
  hello.set_run(offer_.run);
  hello.set_configuration_digest(configuration_digest_);
  hello.set_next_exchange(next);
  std::string why = "no connection";
  while (true) {
    connection_.reset();
    connection_ = std::make_unique<Connection>(options_, std::min(2.0, patience));
    if (connection_->connected()) {
      const auto answer = connection_->greet(hello);
      if (answer && answer->has_welcome()) break;
      why = "it closed the connection";
      if (answer && answer->has_refusal()) {
        const Refused refused = detail::refused_of(answer->refusal());
        if (!refused.later || seconds_since(start) > patience) raise(refused);
      }
    }
    if (seconds_since(start) > patience) throw unreachable(options_, why + " within " + number(patience) + " s");
    std::this_thread::sleep_for(retry_after);
  }
  news_.absent = connection_->absent();
  if (broken) tell("connected again");
  was_connected_ = true;
}

void GrpcSite::meet(ExchangeId id, std::size_t pieces, const Piece& piece, std::span<double> total) {
  using Event = Connection::Event;
  if (!connection_) connect(id);
  while (true) {
    Connection& line = *connection_;
    line.expect(id, total.size());
    Event event = Event::again;
    while (event == Event::again) {
      const std::uint32_t attempt = line.attempt();
      event = line.event(attempt, 0.0);
      for (std::size_t index = 0; index < pieces && id >= line.live() && event == Event::nothing; ++index) {
        wire::FromSite message;
        wire::Piece& out = *message.mutable_piece();
        out.set_exchange(id);
        out.set_attempt(attempt);
        out.set_index(index);
        piece(index, *out.mutable_values());
        if (!line.write(message)) break;  // the reader learns why
        event = line.event(attempt, 0.0);
      }
      // The server has deadlines for whoever it waits for, and a dead connection is noticed by its keep-alive.
      while (event == Event::nothing) event = line.event(attempt, 1.0);
    }
    if (event == Event::done) {
      news_ = line.take(total);
      return;
    }
    if (event == Event::refused) raise(line.refusal());
    connect(id);
  }
}

void GrpcSite::sum_as(ExchangeId id, std::span<const ClientId>, std::span<const Node> mine, std::span<double> total) {
  const Pieces pieces{total.size()};
  const auto piece = [&](std::size_t index, std::string& bytes) {
    for (const Node& node : mine) detail::put_values(node.sum.subspan(pieces.first(index), pieces.size(index)), bytes);
  };
  meet(id, mine.empty() ? 0 : pieces.count(), piece, total);
}

void GrpcSite::share_as(ExchangeId id, std::size_t, std::span<const double> mine, std::span<double> all) {
  const Pieces pieces{mine.size()};
  const auto piece = [&](std::size_t index, std::string& bytes) {
    detail::put_values(mine.subspan(pieces.first(index), pieces.size(index)), bytes);
  };
  meet(id, pieces.count(), piece, all);
}

// The server goes through all exchanges in turn, so a jump needs a new connection. With it comes who was given up
// before, on which the rounds to come depend.
void GrpcSite::continue_at(ExchangeId next) {
  if (next == next_exchange()) return;
  connection_.reset();
  Transport::continue_at(next);
  connect(next);
}

void GrpcSite::saved() {
  if (!connection_ || !connection_->joined()) return;
  wire::FromSite message;
  message.mutable_saved()->set_next_exchange(next_exchange());
  connection_->write(message);  // where it is lost, the next one says more
}

void GrpcSite::bye() {
  if (!connection_) connect(next_exchange());
  wire::FromSite message;
  message.mutable_bye();
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

void GrpcSite::abort(std::string_view reason) noexcept {
  if (!connection_ || !connection_->joined()) return;
  wire::FromSite message;
  detail::fill(Refused{ExitCode::connection,
                       {.what = "the site gave up", .seen = std::string(reason), .advice = "see what the site says"}},
               *message.mutable_gives_up());
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

}  // namespace driftless
