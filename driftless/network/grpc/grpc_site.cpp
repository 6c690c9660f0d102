#include "driftless/network/grpc/grpc_site.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/text.hpp"
#include "driftless/network/grpc/grpc_log.hpp"
#include "driftless/network/grpc/site_connection.hpp"

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;
using detail::SiteConnection;

constexpr auto retry_after = std::chrono::milliseconds(200);
constexpr double wait_seconds = 0.2;  // between two looks at the stop token

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

[[noreturn]] void raise(const Rejection& rejection) { throw Error(rejection.kind(), rejection.info()); }

}  // namespace

GrpcSite::GrpcSite(GrpcSiteOptions options) : options_(std::move(options)) { detail::quiet_grpc_log(); }
GrpcSite::~GrpcSite() = default;

void GrpcSite::report(const std::string& event) const {
  if (options_.on_event) options_.on_event(event);
}

void GrpcSite::throw_if_stopped() const {
  if (options_.stop_token.stop_requested())
    throw Error(ErrorKind::interrupted, {.what = "this site was stopped before the run ended",
                                         .seen = "site '" + options_.site + "'",
                                         .advice = "join again with the same folder: the run continues"});
}

// A server that is starting or restarting may take a while to answer.
template <class Call>
auto GrpcSite::first_contact(Call&& call) const {
  const auto start = Clock::now();
  while (true) {
    try {
      SiteConnection connection(options_, options_.first_contact);
      if (connection.connected()) return call(connection);
      throw_if_stopped();
      throw detail::Unreachable(options_, "no connection within " + number(options_.first_contact) + " s");
    } catch (const detail::Unreachable&) {
      throw_if_stopped();
      if (seconds_since(start) > options_.first_contact) throw;
    }
    std::this_thread::sleep_for(retry_after);
  }
}

SiteOffer GrpcSite::query_offer() {
  return first_contact([](SiteConnection& connection) { return connection.query_offer(); });
}

SiteComparison GrpcSite::compare(const SiteFacts& own) {
  return first_contact([&](SiteConnection& connection) { return connection.compare(own); });
}

detail::KeysOfSites GrpcSite::keys_of_sites(const std::vector<std::string>& sealed_shares) {
  return first_contact([&](SiteConnection& connection) {
    return connection.keys(offer_.run, masking_->masker.keys().own(), sealed_shares);
  });
}

bool GrpcSite::decline(const ErrorInfo& reason) noexcept {
  try {
    first_contact([&](SiteConnection& connection) { connection.decline(reason); });
    return true;
  } catch (const std::exception&) { return false; }
}

void GrpcSite::accept(const SiteOffer& offer, std::string configuration_digest) {
  offer_ = offer;
  configuration_digest_ = std::move(configuration_digest);
}

void GrpcSite::connect(ExchangeId next) {
  const bool broken = connection_ != nullptr;
  const bool was_useless = broken && connection_->joined() && !connection_->useful();
  if (!was_useless) broken_since_ = Clock::now();
  const auto start = broken_since_;
  const double patience = was_connected_ ? options_.grace : options_.first_contact;
  if (broken) report("the connection is lost; trying again for up to " + number(patience) + " s");
  std::string why = was_useless ? "it welcomed this site and closed the connection" : "no connection";
  std::optional<Rejection> rejection;  // the last one, which may be outdated by now
  for (bool first = !was_useless;; first = false) {
    if (!first) {
      if (seconds_since(start) > patience) {
        if (rejection) raise(*rejection);
        throw detail::Unreachable(options_, why + " within " + number(patience) + " s");
      }
      std::this_thread::sleep_for(retry_after);
    }
    throw_if_stopped();
    connection_.reset();
    connection_ = std::make_unique<SiteConnection>(options_, std::min(2.0, patience));
    if (connection_->connected()) {
      const SiteConnection::Answer answer = connection_->greet(
          {.run = offer_.run, .configuration_digest = configuration_digest_, .next = next, .history = history_},
          offer_.layout);
      if (!answer.broken && !answer.rejection) break;
      why = "it closed the connection";
      if (answer.rejection) rejection = answer.rejection;
      if (answer.rejection && past_checkpoint_ && answer.rejection->kind() == ErrorKind::data)
        throw CheckpointNeeded(answer.rejection->info());
      if (answer.rejection && !answer.rejection->later()) raise(*answer.rejection);
    }
  }
  if (broken) report("connected again");
  was_connected_ = true;
}

void GrpcSite::exchange(ExchangeId id, const OwnRows& rows, std::span<double> total) {
  using Event = SiteConnection::Event;
  if (!connection_ || !connection_->joined()) connect(id);
  while (true) {
    SiteConnection& connection = *connection_;
    connection.expect(id, total.size(), rows.addition);
    Event event = Event::repeat;
    while (event == Event::repeat) {
      event = Event::nothing;
      const std::uint32_t attempt = connection.attempt();
      if (id >= connection.live()) send_rows(id, attempt, rows);
      // The server has a deadline for each site, and keep-alive messages detect a dead connection.
      while (event == Event::nothing) {
        throw_if_stopped();
        event = connection.event(attempt, wait_seconds);
        if (event != Event::unmask) continue;
        reveal(connection.take_unmask());
        event = Event::nothing;
      }
    }
    if (event == Event::done) {
      detail::Done done = connection.take(total);
      agreement_ = std::move(done.agreement);
      history_ = done.history;
      past_checkpoint_ = true;
      return;
    }
    if (event == Event::rejected) raise(connection.rejection());
    connect(id);
  }
}

// Rows, or that there are none; where a write fails, the reading thread finds out why.
void GrpcSite::send_rows(ExchangeId id, std::uint32_t attempt, const OwnRows& rows) {
  SiteConnection& connection = *connection_;
  if (connection.abandons(id)) return;
  require_rows(id);
  wire::FromSite message;
  if (abandoned_here() != StopSignal::none) {
    message.mutable_abandon()->set_exchange(id);
    connection.write(message);
    return;
  }
  if (rows.begin) rows.begin(attempt);
  for (std::size_t index = 0; index < rows.chunks; ++index) {
    if (connection.event(attempt, 0.0) != SiteConnection::Event::nothing) return;
    wire::Chunk& out = *message.mutable_chunk();
    out.set_exchange(id);
    out.set_attempt(attempt);
    out.set_index(index);
    out.clear_values();
    rows.chunk(index, *out.mutable_values());
    if (!connection.write(message)) return;
  }
}

// A server that lost power may not have kept the end of the round, which this site relied on.
void GrpcSite::require_rows(ExchangeId id) {
  if (abandoned_ != id) return;
  connection_.reset();
  restarts_ = true;
  throw CheckpointNeeded({.what = "the server no longer knows that a round was abandoned",
                          .seen = "exchange " + std::to_string(id),
                          .advice = "start the site again: it continues from its checkpoint"});
}

// A site that restarted from its checkpoint has no connection before its first collective, and one whose server
// restarted has a broken one. Without a connection it would not hear in long local work that the round is abandoned.
void GrpcSite::open_round(RoundLimits limits) {
  Transport::open_round(std::move(limits));
  abandoned_.reset();
  if (!connection_ || !connection_->joined()) connect(next_exchange());
}

bool GrpcSite::round_is_abandoned() {
  constexpr double attempt_seconds = 1.0, pause_seconds = 5.0;
  if ((!connection_ || connection_->broken()) && seconds_since(rejoined_) > pause_seconds) {
    join_once(attempt_seconds);
    rejoined_ = Clock::now();
  }
  if (connection_ && connection_->abandons(next_exchange())) abandoned_ = next_exchange();
  return abandoned_ == next_exchange();
}

// Local work is no collective, so the connection stays the same while clients ask.
void GrpcSite::throw_if_ended() {
  throw_if_stopped();
  if (connection_ && connection_->rejected()) raise(connection_->rejection());
}

void GrpcSite::sum_as(ExchangeId id, std::span<const ClientId>, std::span<const Node> mine, std::span<double> total) {
  DRIFTLESS_ASSERT(!masking_, "rows that are to be masked would leave this site as they are");
  const Chunks chunks{total.size()};
  const auto chunk = [&](std::size_t index, std::string& bytes) {
    for (const Node& node : mine) detail::put_values(node.sum.subspan(chunks.first(index), chunks.size(index)), bytes);
  };
  exchange(id, {.chunks = mine.empty() ? 0 : chunks.count(), .chunk = chunk}, total);
}

void GrpcSite::add_integers_as(ExchangeId id, std::span<const double> mine, std::span<double> total, Integers meaning) {
  if (masking_) agree_on_keys();
  const Chunks chunks{total.size()};
  std::span<const double> row = mine;
  const auto begin = [&](std::uint32_t attempt) {
    if (!masking_) return;
    masked_.assign(mine.begin(), mine.end());
    masking_->masker.mask({.name = {.exchange = id, .ends_process = ends_process_},
                           .attempt = attempt,
                           .history = history_,
                           .present = present_sites()},
                          meaning, masked_);
    row = masked_;
  };
  const auto chunk = [&](std::size_t index, std::string& bytes) {
    detail::put_values(row.subspan(chunks.first(index), chunks.size(index)), bytes);
  };
  exchange(id, {.chunks = chunks.count(), .chunk = chunk, .begin = begin, .addition = Addition::modular}, total);
}

void GrpcSite::share_as(ExchangeId id, std::size_t, std::span<const double> mine, std::span<double> all,
                        const RowCheck&) {
  if (masking_)
    throw ConfigError(
        {.what = "this method or problem shows the rows of every client to all peers, and secure_sum is on",
         .seen = "exchange " + std::to_string(id),
         .advice = "use a method with a server; docs/privacy.md says which exchanges are sums"});
  const Chunks chunks{mine.size()};
  const auto chunk = [&](std::size_t index, std::string& bytes) {
    detail::put_values(mine.subspan(chunks.first(index), chunks.size(index)), bytes);
  };
  exchange(id, {.chunks = chunks.count(), .chunk = chunk}, all);
}

// The server sends all totals in order, so a jump needs a new connection. The next collective opens it: a resumed run
// jumps past each finished method, to totals that the server may have removed, before it loads the checkpoint from
// which it continues.
void GrpcSite::resume_at(const Position& position) {
  connection_.reset();
  agreement_ = {.signal = StopSignal::none, .absent = position.absent};
  history_ = position.history;
  past_checkpoint_ = false;
}

bool GrpcSite::secure_past(bool insist) {
  const ExchangeId here = next_exchange();
  if (!insist) {
    if (!connection_ || !connection_->joined()) return false;
    try {
      return connection_->secure(offer_.run, here) >= here;
    } catch (const Error&) { return false; }  // the next checkpoint will try again
  }
  const auto start = Clock::now();
  while (true) {
    try {
      if (!connection_) connect(here);
      if (connection_->secure(offer_.run, here) >= here) return true;
      throw detail::Unreachable(options_, "it cannot write its journal to the disk");
    } catch (const TransportError&) {
      throw_if_stopped();
      if (seconds_since(start) > options_.grace) throw;
    }
    std::this_thread::sleep_for(retry_after);
    connect(here);
  }
}

void GrpcSite::on_checkpoint() {
  if (masking_) masking_->masker.forget_before(next_exchange());
  if (!connection_ || !connection_->joined()) return;
  wire::FromSite message;
  message.mutable_checkpoint()->set_next_exchange(next_exchange());
  connection_->write(message);  // if it is lost, the next one replaces it
}

void GrpcSite::finish() {
  if (!connection_) {
    report_finished();
    return;
  }
  wire::FromSite message;
  message.mutable_finished();
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

bool GrpcSite::join_once(double seconds) noexcept {
  try {
    connection_.reset();
    connection_ = std::make_unique<SiteConnection>(options_, std::min(seconds, options_.first_contact));
    const SiteConnection::Answer answer = connection_->connected()
                                              ? connection_->greet({.run = offer_.run,
                                                                    .configuration_digest = configuration_digest_,
                                                                    .next = next_exchange(),
                                                                    .history = history_},
                                                                   offer_.layout)
                                              : SiteConnection::Answer{.broken = true};
    if (!answer.broken && !answer.rejection) return true;
  } catch (const std::exception&) {}
  connection_.reset();
  return false;
}

bool GrpcSite::report_finished() noexcept {
  try {
    SiteConnection connection(options_, std::min(2.0, options_.first_contact));
    if (!connection.connected()) return false;
    const SiteConnection::Answer answer = connection.greet(
        {.run = offer_.run, .configuration_digest = configuration_digest_, .next = next_exchange(), .finished = true},
        offer_.layout);
    if (answer.broken || answer.rejection) return false;
    connection.leave();
    return true;
  } catch (const std::exception&) { return false; }
}

// A site that fails before its first collective is not connected yet, and the others would wait for it. One that was
// stopped may come back.
void GrpcSite::abort(std::string_view reason) noexcept {
  if (restarts_ || options_.stop_token.stop_requested() || (!connection_ && !join_once(2.0))) return;
  if (!connection_->joined()) return;
  wire::FromSite message;
  detail::fill(
      Rejection{
          ErrorKind::communication,
          {.what = "the site aborted the run", .seen = std::string(reason), .advice = "see the error of the site"}},
      *message.mutable_abort());
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

}  // namespace driftless
