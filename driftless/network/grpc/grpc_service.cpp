#include "driftless/network/grpc/grpc_service.hpp"

#include "driftless/core/printable.hpp"
#include "driftless/network/grpc/link_limits.hpp"

namespace driftless::detail {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double greeting_seconds = 10.0;
constexpr auto poll_interval = std::chrono::milliseconds(100);
constexpr auto recheck_interval = std::chrono::seconds(1);
// A site needs one stream, and a second one until a broken connection is noticed.
constexpr std::ptrdiff_t most_streams_of_a_site = 4;

std::string property(const grpc::ServerContext& context, const char* name) {
  const auto values = context.auth_context()->FindPropertyValues(name);
  return values.empty() ? std::string() : std::string(values.front().data(), values.front().size());
}

std::string name_in_certificate(const grpc::ServerContext& context) {
  return property(context, GRPC_X509_CN_PROPERTY_NAME);
}
std::string certificate_of(const grpc::ServerContext& context) {
  return property(context, GRPC_X509_PEM_CERT_PROPERTY_NAME);
}

wire::FromServer message_of(const driftless::Hub::Outgoing& out) {
  using Kind = driftless::Hub::Outgoing::Kind;
  wire::FromServer message;
  if (out.kind == Kind::chunk) {
    wire::Chunk& chunk = *message.mutable_chunk();
    chunk.set_exchange(out.exchange);
    chunk.set_attempt(out.attempt);
    chunk.set_index(out.index);
    put_values(out.values, *chunk.mutable_values());
  } else if (out.kind == Kind::done) {
    wire::Done& done = *message.mutable_done();
    done.set_exchange(out.exchange);
    done.set_signal(static_cast<std::uint32_t>(out.agreement.signal));
    for (const ClientId id : out.agreement.absent) done.add_absent(id);
    fill(out.history, *done.mutable_history());
  } else if (out.kind == Kind::repeat) {
    message.mutable_repeat()->set_exchange(out.exchange);
    message.mutable_repeat()->set_attempt(out.attempt);
    for (const ClientId id : out.agreement.absent) message.mutable_repeat()->add_absent(id);
  } else if (out.kind == Kind::unmask) {
    message.mutable_unmask()->set_exchange(out.exchange);
    message.mutable_unmask()->set_attempt(out.attempt);
    for (const std::size_t site : out.lost) message.mutable_unmask()->add_lost(site);
  } else {
    fill(*out.rejection, *message.mutable_rejection());
  }
  return message;
}

}  // namespace

class GrpcService::Watched {
 public:
  Watched(GrpcService& service, grpc::ServerContext& context) : service_(service) {
    Open open{.context = &context, .name = name_in_certificate(context), .certificate = certificate_of(context)};
    const std::lock_guard lock(service_.mutex_);
    const auto same = std::ranges::count(service_.open_, open.name, &Open::name);
    too_many_ = service_.options_.tls.has_value() && same >= most_streams_of_a_site;
    at_ = service_.open_.insert(service_.open_.end(), std::move(open));
  }
  ~Watched() {
    const std::lock_guard lock(service_.mutex_);
    service_.open_.erase(at_);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  bool too_many() const { return too_many_; }  // streams of the same site
  void set_greeted() const {
    const std::lock_guard lock(service_.mutex_);
    at_->greeted = true;
  }
  void set_connection(HubConnection* connection) const {
    const std::lock_guard lock(service_.mutex_);
    at_->connection = connection;
  }

 private:
  GrpcService& service_;
  std::list<Open>::iterator at_;
  bool too_many_ = false;
};

GrpcService::GrpcService(driftless::Hub& hub, const GrpcServerOptions& options, Admission on_admitted)
    : hub_(hub), options_(options), on_admitted_(std::move(on_admitted)) {
  watchdog_ = std::thread([this] { watch(); });
}

GrpcService::~GrpcService() {
  stopping_ = true;
  watchdog_.join();
}

void GrpcService::wait_for_streams(Clock::duration most) {
  const auto start = Clock::now();
  const auto any_open = [&] {
    const std::lock_guard lock(mutex_);
    return !open_.empty();
  };
  while (any_open() && Clock::now() - start < most) std::this_thread::sleep_for(poll_interval);
}

grpc::Status GrpcService::Look(grpc::ServerContext* context, const wire::LookRequest* request, wire::Offer* offer) {
  try {
    const std::size_t slot = slot_of(*context, parse(*request));
    offer->set_run(options_.run);
    offer->set_configuration(options_.configuration);
    offer->set_clients(hub_.clients());
    offer->set_peers(hub_.slots().size() + 1);
    offer->set_rank(slot + 1);
    offer->set_site(hub_.slots()[slot].site);
    offer->set_time(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
    for (const ClientId id : hub_.slots()[slot].hosted) offer->add_hosted(id);
    record("Look", *context);
  } catch (const Rejection& rejection) {
    record("Look", *context, rejection.info().what);
    fill(rejection, *offer->mutable_rejection());
  }
  return grpc::Status::OK;
}

grpc::Status GrpcService::Compare(grpc::ServerContext* context, const wire::CompareRequest* request,
                                  wire::Comparison* comparison) {
  try {
    const ComparedFacts call = parse(*request);
    const std::size_t slot = slot_of(*context, call.from);
    const std::lock_guard lock(mutex_);
    facts_[slot] = call.facts;
    facts_[slot].site = hub_.slots()[slot].site;
    for (std::size_t s = 0; s < hub_.slots().size(); ++s) {
      if (!facts_.contains(s)) {
        comparison->add_unknown(hub_.slots()[s].site);
        continue;
      }
      wire::SiteFacts& known = *comparison->add_known();
      known.set_site(facts_[s].site);
      known.set_rows(facts_[s].rows);
      known.set_columns(facts_[s].columns);
      for (const double label : facts_[s].labels) known.add_labels(label);
    }
    record("Compare", *context);
  } catch (const Rejection& rejection) {
    record("Compare", *context, rejection.info().what);
    fill(rejection, *comparison->mutable_rejection());
  }
  return grpc::Status::OK;
}

grpc::Status GrpcService::Decline(grpc::ServerContext* context, const wire::DeclineRequest* request,
                                  wire::DeclineReply* reply) {
  try {
    const DeclineCall call = parse(*request);
    hub_.on_decline(slot_of(*context, call.from), call.reason);
    record("Decline", *context);
  } catch (const Rejection& rejection) {
    record("Decline", *context, rejection.info().what);
    fill(rejection, *reply->mutable_rejection());
  }
  return grpc::Status::OK;
}

grpc::Status GrpcService::Keys(grpc::ServerContext* context, const wire::KeysRequest* request, wire::KeysReply* reply) {
  try {
    KeysCall call = parse(*request);
    const std::size_t slot = slot_of(*context, call.from);
    require_same_run(call.run);
    if (const auto ended = hub_.ended()) throw *ended;
    if (options_.keys == nullptr)
      throw Rejection{ErrorKind::communication,
                      {.what = "the sites of this run do not mask their rows",
                       .seen = "site '" + hub_.slots()[slot].site + "'",
                       .advice = "use the same program and configuration at the server and at all sites"}};
    options_.keys->announce(slot, std::move(call.announcement));
    if (!call.shares.empty()) options_.keys->deposit(slot, std::move(call.shares));
    for (const Announcement& one : options_.keys->announcements()) fill(one, *reply->add_announcements());
    for (const std::string& share : options_.keys->shares_for(slot)) reply->add_shares(share);
    for (const std::string& site : options_.keys->missing()) reply->add_missing(site);
  } catch (const Rejection& rejection) {
    record("Keys", *context, rejection.info().what);
    fill(rejection, *reply->mutable_rejection());
  } catch (const std::exception& error) { fill(end_run(error), *reply->mutable_rejection()); }
  return grpc::Status::OK;
}

grpc::Status GrpcService::Secure(grpc::ServerContext* context, const wire::SecureRequest* request,
                                 wire::SecureReply* reply) {
  try {
    const SecureCall call = parse(*request);
    slot_of(*context, call.from);
    require_same_run(call.run);
    reply->set_durable(hub_.make_durable(call.before));
    pad(*reply, options_.latency);
  } catch (const Rejection& rejection) {
    record("Secure", *context, rejection.info().what);
    fill(rejection, *reply->mutable_rejection());
  } catch (const std::exception& error) { end_run(error); }
  return grpc::Status::OK;
}

grpc::Status GrpcService::Join(grpc::ServerContext* context, Stream* stream) {
  const Watched watched(*this, *context);
  if (watched.too_many()) return {grpc::StatusCode::RESOURCE_EXHAUSTED, "too many streams of one site"};
  try {
    serve(*context, *stream, watched);
  } catch (const Rejection& rejection) {
    record("Join", *context, rejection.info().what);
    wire::FromServer message;
    fill(rejection, *message.mutable_rejection());
    write(*stream, std::move(message));
  }
  return grpc::Status::OK;
}

void GrpcService::serve(grpc::ServerContext& context, Stream& stream, const Watched& watched) {
  wire::FromSite message;
  if (!stream.Read(&message)) return;
  watched.set_greeted();
  const Greeting greeting = parse_greeting(message);
  const std::size_t slot = slot_of(context, greeting.from);
  wire::FromServer welcome;
  if (greeting.finished) {
    require_same_run(greeting.run);
    hub_.mark_finished(slot);
    welcome.mutable_welcome();
    write(stream, std::move(welcome));
    return;
  }
  const std::unique_ptr<HubConnection> connection = admitted(context, greeting, slot);
  welcome.mutable_welcome()->set_live(connection->live());
  write(stream, std::move(welcome));
  std::thread writer = writer_of(stream, *connection, context);
  if (!writer.joinable()) return;
  watched.set_connection(connection.get());
  read_all(stream, *connection);
  connection->close();
  writer.join();
  watched.set_connection(nullptr);
}

// None where the system cannot start a thread: then the run ends, because the site could not take part without it.
std::thread GrpcService::writer_of(Stream& stream, HubConnection& connection, grpc::ServerContext& context) const {
  try {
    return std::thread([this, &stream, &connection, &context] { write_all(stream, connection, context); });
  } catch (const std::system_error& error) {
    hub_.end(ErrorKind::configuration,
             {.what = "the server cannot start another thread",
              .seen = error.what(),
              .advice = "allow it more memory and threads, as with 'ulimit -v' and 'ulimit -u'"});
    return {};
  }
}

void GrpcService::watch() {
  const auto greeting_timeout = std::chrono::duration<double>(greeting_seconds + options_.latency);
  auto checked = Clock::now();
  while (!stopping_) {
    std::this_thread::sleep_for(poll_interval);
    {
      const std::lock_guard lock(mutex_);
      for (const Open& open : open_) {
        if (!open.greeted && Clock::now() - open.since > greeting_timeout) open.context->TryCancel();
        if (open.connection != nullptr && open.context->IsCancelled()) open.connection->close();
      }
    }
    if (Clock::now() - checked < recheck_interval) continue;
    recheck_certificates();
    checked = Clock::now();
  }
}

// Ends the connections of sites whose certificates were revoked meanwhile.
void GrpcService::recheck_certificates() {
  if (!options_.tls || !options_.check_certificate) return;
  const std::lock_guard lock(mutex_);
  for (const Open& open : open_)
    if (open.connection != nullptr)
      if (auto fault = options_.check_certificate(open.certificate)) open.connection->reject(*std::move(fault));
}

void GrpcService::require_version(const std::string& version) const {
  if (version == options_.version) return;
  throw Rejection{ErrorKind::communication,
                  {.what = "the site runs another version of the program",
                   .seen = "site: " + version + ", server: " + options_.version,
                   .advice = "install the same version everywhere"}};
}

std::size_t GrpcService::slot_of(const grpc::ServerContext& context, const Introduction& from) const {
  require_version(from.version);
  std::string site = from.site;
  if (options_.tls) {
    site = name_in_certificate(context);
    if (options_.check_certificate)
      if (auto fault = options_.check_certificate(certificate_of(context)))
        throw Rejection(ErrorKind::communication, *std::move(fault));
  }
  const std::vector<SiteSlot>& slots = hub_.slots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (slots[s].site == site) return s;
  throw Rejection{ErrorKind::communication,
                  {.what = "this site is not expected here",
                   .seen = "site '" + site + "'",
                   .advice = "put it into network.sites of the server's configuration, or use its certificate"}};
}

void GrpcService::record(const char* call, const grpc::ServerContext& context, const std::string& rejected) const {
  if (options_.on_call)
    options_.on_call({.call = call,
                      .site = printable(name_in_certificate(context), 80),
                      .address = context.peer(),
                      .certificate = certificate_of(context),
                      .rejected = rejected});
}

void GrpcService::require_same_run(const std::string& run) const {
  if (run == options_.run) return;
  throw Rejection{ErrorKind::communication,
                  {.what = "the site belongs to another run",
                   .seen = "run " + run + ", here is " + options_.run,
                   .advice = "give the site a new folder with --out, or start the server with the one it had"}};
}

std::unique_ptr<HubConnection> GrpcService::admitted(const grpc::ServerContext& context, const Greeting& greeting,
                                                     std::size_t slot) {
  require_same_run(greeting.run);
  if (greeting.configuration_digest != options_.configuration_digest)
    throw Rejection{ErrorKind::communication,
                    {.what = "the site belongs to another run",
                     .seen = "its configuration is not the server's",
                     .advice = "give the site a new folder with --out, or start the server with the one it had"}};
  std::unique_ptr<HubConnection> connection = hub_.join(slot, greeting.next, greeting.history);
  on_admitted_(context.peer(), hub_.slots()[slot].site);
  record("Join", context);
  return connection;
}

// An error of the server itself, such as a full disk, ends the run for all.
Rejection GrpcService::end_run(const std::exception& error) const {
  const auto* known = dynamic_cast<const Error*>(&error);
  Rejection reason(known != nullptr ? known->kind() : ErrorKind::internal,
                   known != nullptr ? known->info() : ErrorInfo{.what = error.what(), .seen = {}, .advice = {}});
  hub_.end(reason.kind(), reason.info());
  return reason;
}

void GrpcService::read_all(Stream& stream, HubConnection& connection) const {
  try {
    wire::FromSite message;
    while (stream.Read(&message)) handle(parse(message), connection);
  } catch (const Rejection& rejection) {
    connection.reject(rejection.info());
    wire::FromSite rest;
    while (stream.Read(&rest)) {}
  } catch (const std::exception& error) { end_run(error); }
}

void GrpcService::write_all(Stream& stream, HubConnection& connection, grpc::ServerContext& context) const {
  try {
    write_until_closed(stream, connection);
  } catch (const std::exception& error) {  // a total cannot be read, so the hub cannot send what follows it either
    wire::FromServer message;
    fill(end_run(error), *message.mutable_rejection());
    write_rejection(stream, message);
  }
  connection.close();
  context.TryCancel();  // ends the wait of the reading thread; a site that has finished is gone by now
}

void GrpcService::write_until_closed(Stream& stream, HubConnection& connection) const {
  using Kind = driftless::Hub::Outgoing::Kind;
  while (true) {
    const driftless::Hub::Outgoing out = connection.next();
    if (out.kind == Kind::closed) break;
    if (out.kind == Kind::rejection) return write_rejection(stream, message_of(out));
    if (!write(stream, message_of(out))) break;
  }
}

bool GrpcService::write(Stream& stream, wire::FromServer message) const {
  pad(message, options_.latency);
  return stream.Write(message);
}

// Leaves time to read it; the stream ends in any case.
void GrpcService::write_rejection(Stream& stream, wire::FromServer message) const {
  if (write(stream, std::move(message))) std::this_thread::sleep_for(std::chrono::seconds(1));
}

}  // namespace driftless::detail
