#include "driftless/transports/grpc_server.hpp"

#include "driftless/transports/site_message.hpp"

#include <atomic>
#include <list>
#include <map>
#include <thread>

namespace driftless {
namespace {

constexpr auto hello_within = std::chrono::seconds(10);
constexpr auto look_around = std::chrono::milliseconds(100);

std::shared_ptr<grpc::ServerCredentials> credentials_of(const std::optional<TlsTexts>& tls) {
  if (!tls) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = tls->authority;
  options.pem_key_cert_pairs.push_back({tls->key, tls->certificate});
  return grpc::SslServerCredentials(options);
}

std::string property(const grpc::ServerContext& context, const char* name) {
  const auto values = context.auth_context()->FindPropertyValues(name);
  return values.empty() ? std::string() : std::string(values.front().data(), values.front().size());
}

}  // namespace

class GrpcServer::Service final : public wire::Hub::Service {
 public:
  Service(Hub& hub, const GrpcServerOptions& options) : hub_(hub), options_(options) {
    watchdog_ = std::thread([this] { watch(); });
  }
  ~Service() override {
    stopping_ = true;
    watchdog_.join();
  }
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  // Until the streams have ended by themselves: a last reason may be on its way.
  void let_leave(std::chrono::steady_clock::duration most) {
    const auto start = std::chrono::steady_clock::now();
    const auto any_open = [&] {
      const std::lock_guard lock(mutex_);
      return !open_.empty();
    };
    while (any_open() && std::chrono::steady_clock::now() - start < most) std::this_thread::sleep_for(look_around);
  }

  grpc::Status Look(grpc::ServerContext* context, const wire::LookRequest* request, wire::Offer* offer) override {
    try {
      require_version(request->version());
      const std::size_t seat = seat_of(*context, request->site());
      offer->set_run(options_.run);
      offer->set_configuration(options_.configuration);
      offer->set_clients(hub_.clients());
      offer->set_peers(hub_.seats().size() + 1);
      offer->set_rank(seat + 1);
      offer->set_site(hub_.seats()[seat].site);
      offer->set_time(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
      for (const ClientId id : hub_.seats()[seat].hosted) offer->add_hosted(id);
    } catch (const Refused& refused) { detail::fill(refused, *offer->mutable_refusal()); }
    return grpc::Status::OK;
  }

  grpc::Status Compare(grpc::ServerContext* context, const wire::CompareRequest* request,
                       wire::Comparison* comparison) override {
    try {
      require_version(request->version());
      const std::size_t seat = seat_of(*context, request->site());
      const std::lock_guard lock(mutex_);
      facts_[seat] = request->facts();
      facts_[seat].set_site(hub_.seats()[seat].site);
      for (std::size_t s = 0; s < hub_.seats().size(); ++s) {
        if (facts_.contains(s)) *comparison->add_known() = facts_[s];
        else comparison->add_unknown(hub_.seats()[s].site);
      }
    } catch (const Refused& refused) { detail::fill(refused, *comparison->mutable_refusal()); }
    return grpc::Status::OK;
  }

  using Stream = grpc::ServerReaderWriter<wire::FromServer, wire::FromSite>;

  grpc::Status Join(grpc::ServerContext* context, Stream* stream) override {
    const Watched watched(*this, *context);
    try {
      wire::FromSite message;
      if (!stream->Read(&message)) return grpc::Status::OK;
      watched.said_hello();
      if (!message.has_hello()) throw detail::unexpected("its first message is not a greeting");
      const std::unique_ptr<driftless::Hub::Line> line = admitted(*context, message.hello());
      wire::FromServer welcome;
      welcome.mutable_welcome()->set_live(line->live());
      for (const ClientId id : line->absent()) welcome.mutable_welcome()->add_absent(id);
      stream->Write(welcome);
      watched.has(line.get());
      std::thread writer([&] { write_all(*stream, *line, *context); });
      read_all(*stream, *line);
      line->close();
      writer.join();
      watched.has(nullptr);
    } catch (const Refused& refused) {
      wire::FromServer message;
      detail::fill(refused, *message.mutable_refusal());
      stream->Write(message);
    }
    return grpc::Status::OK;
  }

 private:
  // Streams that are open. A stream whose other end is gone is noticed here, whatever its threads wait for.
  struct Open {
    grpc::ServerContext* context;
    driftless::Hub::Line* line = nullptr;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
    bool greeted = false;
  };
  class Watched {
   public:
    Watched(Service& service, grpc::ServerContext& context) : service_(service) {
      const std::lock_guard lock(service_.mutex_);
      at_ = service_.open_.insert(service_.open_.end(), Open{&context});
    }
    ~Watched() {
      const std::lock_guard lock(service_.mutex_);
      service_.open_.erase(at_);
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    void said_hello() const {
      const std::lock_guard lock(service_.mutex_);
      at_->greeted = true;
    }
    void has(driftless::Hub::Line* line) const {
      const std::lock_guard lock(service_.mutex_);
      at_->line = line;
    }

   private:
    Service& service_;
    std::list<Open>::iterator at_;
  };

  void watch() {
    while (!stopping_) {
      std::this_thread::sleep_for(look_around);
      const std::lock_guard lock(mutex_);
      for (const Open& open : open_) {
        if (!open.greeted && std::chrono::steady_clock::now() - open.since > hello_within) open.context->TryCancel();
        if (open.line != nullptr && open.context->IsCancelled()) open.line->close();
      }
    }
  }

  void require_version(const std::string& version) const {
    if (version == options_.version) return;
    throw Refused{ExitCode::connection,
                  {.what = "the site runs another version of the program",
                   .seen = "site: " + version + ", server: " + options_.version,
                   .advice = "install the same version everywhere"}};
  }

  std::size_t seat_of(const grpc::ServerContext& context, const std::string& named) const {
    std::string site = named;
    if (options_.tls) {
      site = property(context, GRPC_X509_CN_PROPERTY_NAME);
      if (options_.check_certificate)
        if (auto trouble = options_.check_certificate(property(context, GRPC_X509_PEM_CERT_PROPERTY_NAME)))
          throw Refused{ExitCode::connection, *trouble};
    }
    const std::vector<Seat>& seats = hub_.seats();
    for (std::size_t s = 0; s < seats.size(); ++s)
      if (seats[s].site == site) return s;
    throw Refused{ExitCode::connection,
                  {.what = "this site is not expected here",
                   .seen = "site '" + site + "'",
                   .advice = "put it into network.sites of the server's configuration, or use its certificate"}};
  }

  std::unique_ptr<driftless::Hub::Line> admitted(const grpc::ServerContext& context, const wire::Hello& hello) {
    require_version(hello.version());
    const std::size_t seat = seat_of(context, hello.site());
    if (hello.run() != options_.run || hello.configuration_digest() != options_.configuration_digest)
      throw Refused{ExitCode::connection,
                    {.what = "the site wants to continue another run",
                     .seen = hello.run() != options_.run ? "run " + hello.run() + ", here is " + options_.run
                                                         : "its configuration is not the server's",
                     .advice = "give the site a new folder with --out, or start the server with the one it had"}};
    return hub_.enter(seat, hello.next_exchange());
  }

  // Trouble of the server itself, as a full disk, ends the run for all.
  void give_up(const std::exception& error) const {
    const auto* known = dynamic_cast<const Error*>(&error);
    hub_.end(known != nullptr ? known->code() : ExitCode::internal,
             known != nullptr ? known->trouble() : Trouble{.what = error.what(), .seen = {}, .advice = {}});
  }

  void read_all(Stream& stream, driftless::Hub::Line& line) const {
    try {
      wire::FromSite message;
      while (stream.Read(&message)) detail::take_in(message, line);
    } catch (const Refused& refused) {
      line.refuse(refused.trouble);
      wire::FromSite rest;
      while (stream.Read(&rest)) {}
    } catch (const std::exception& error) { give_up(error); }
  }

  void write_all(Stream& stream, driftless::Hub::Line& line, grpc::ServerContext& context) const {
    try {
      write_until_closed(stream, line);
    } catch (const std::exception& error) { give_up(error); }
    line.close();
    context.TryCancel();  // ends the reading thread's wait; a site that is done has left by now
  }

  static void write_until_closed(Stream& stream, driftless::Hub::Line& line) {
    using Kind = driftless::Hub::Outgoing::Kind;
    while (true) {
      const driftless::Hub::Outgoing out = line.next();
      wire::FromServer message;
      if (out.kind == Kind::closed) break;
      if (out.kind == Kind::piece) {
        wire::Piece& piece = *message.mutable_piece();
        piece.set_exchange(out.exchange);
        piece.set_attempt(out.attempt);
        piece.set_index(out.index);
        detail::put_values(out.values, *piece.mutable_values());
      } else if (out.kind == Kind::done) {
        wire::Done& done = *message.mutable_done();
        done.set_exchange(out.exchange);
        done.set_word(out.news.word);
        for (const ClientId id : out.news.absent) done.add_absent(id);
      } else if (out.kind == Kind::again) {
        message.mutable_again()->set_exchange(out.exchange);
        message.mutable_again()->set_attempt(out.attempt);
      } else {
        detail::fill(out.refused, *message.mutable_refusal());
      }
      if (!stream.Write(message)) break;
      if (out.kind == Kind::refusal) {  // time to read it, then the stream ends whatever the other end does
        std::this_thread::sleep_for(std::chrono::seconds(1));
        break;
      }
    }
  }

  Hub& hub_;
  const GrpcServerOptions& options_;
  std::mutex mutex_;
  std::list<Open> open_;
  std::map<std::size_t, wire::SiteFacts> facts_;  // by seat, from those who have compared
  std::atomic<bool> stopping_{false};
  std::thread watchdog_;
};

struct GrpcServer::Running {
  GrpcServerOptions options;
  Service service;
  std::unique_ptr<grpc::Server> server;
  int port = 0;

  Running(Hub& hub, GrpcServerOptions given) : options(std::move(given)), service(hub, options) {}
};

GrpcServer::GrpcServer(Hub& hub, GrpcServerOptions options)
    : running_(std::make_unique<Running>(hub, std::move(options))) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort(running_->options.address, credentials_of(running_->options.tls), &running_->port);
  builder.RegisterService(&running_->service);
  builder.SetMaxReceiveMessageSize(detail::most_message_bytes);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, detail::keepalive_ms);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, detail::keepalive_ms);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, detail::keepalive_ms / 2);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000);
  running_->server = builder.BuildAndStart();
  if (running_->server == nullptr || running_->port == 0)
    throw TransportError(
        {.what = "the server cannot listen there",
         .seen = running_->options.address,
         .advice = "see that the address is this machine's, the port is free and certificate and key are right"});
}

GrpcServer::~GrpcServer() {
  running_->service.let_leave(std::chrono::seconds(3));
  running_->server->Shutdown(std::chrono::system_clock::now());
  running_->server->Wait();
}

int GrpcServer::port() const { return running_->port; }

HubTransport::HubTransport(Hub& hub) : hub_(hub) {
  layout_.clients = hub.clients();
  layout_.peers = hub.seats().size() + 1;
}

// The rounds to come depend on who was given up before.
void HubTransport::continue_at(ExchangeId next) {
  if (next == next_exchange()) return;
  Transport::continue_at(next);
  news_ = {.word = 0, .absent = hub_.absent_before(next)};
}

void HubTransport::abort(std::string_view reason) noexcept {
  hub_.end(ExitCode::run_failed,
           {.what = "the server ended the run", .seen = std::string(reason), .advice = "see what the server says"});
}

void HubTransport::sum_as(ExchangeId id, std::span<const ClientId> from, std::span<const Node>,
                          std::span<double> total) {
  news_ = hub_.sum(id, from, total);
}

void HubTransport::share_as(ExchangeId id, std::size_t width, std::span<const double>, std::span<double> all) {
  news_ = hub_.share(id, width, all);
}

}  // namespace driftless
