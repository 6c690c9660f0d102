#include "driftless/network/grpc/grpc_site.hpp"

#include "driftless/core/text.hpp"
#include "driftless/network/grpc/grpc_log.hpp"
#include "driftless/network/grpc/site_connection.hpp"

namespace driftless {
namespace {

using Clock = std::chrono::steady_clock;
using detail::SiteConnection;

constexpr auto retry_after = std::chrono::milliseconds(200);

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

[[noreturn]] void raise(const Rejection& rejection) { throw Error(rejection.kind(), rejection.info()); }

}  // namespace

GrpcSite::GrpcSite(GrpcSiteOptions options) : options_(std::move(options)) { detail::quiet_grpc_log(); }
GrpcSite::~GrpcSite() = default;

void GrpcSite::tell(const std::string& event) const {
  if (options_.on_event) options_.on_event(event);
}

// A server that is started, or killed and started again, may take a while to answer.
template <class Call>
auto GrpcSite::first_contact(Call&& call) const {
  const auto start = Clock::now();
  while (true) {
    try {
      SiteConnection connection(options_, options_.first_contact);
      if (connection.connected()) return call(connection);
      throw detail::Unreachable(options_, "no connection within " + number(options_.first_contact) + " s");
    } catch (const detail::Unreachable&) {
      if (seconds_since(start) > options_.first_contact) throw;
    }
    std::this_thread::sleep_for(retry_after);
  }
}

SiteOffer GrpcSite::look() {
  return first_contact([](SiteConnection& connection) { return connection.look(); });
}

SiteComparison GrpcSite::compare(const SiteFacts& own) {
  return first_contact([&](SiteConnection& connection) { return connection.compare(own); });
}

void GrpcSite::accept(const SiteOffer& offer, std::string configuration_digest) {
  offer_ = offer;
  configuration_digest_ = std::move(configuration_digest);
}

void GrpcSite::connect(ExchangeId next) {
  const bool broken = connection_ != nullptr;
  const bool in_vain = broken && connection_->joined() && !connection_->useful();
  if (!in_vain) broken_since_ = Clock::now();
  const auto start = broken_since_;
  const double patience = was_connected_ ? options_.grace : options_.first_contact;
  if (broken) tell("the connection is lost; trying again for up to " + number(patience) + " s");
  std::string why = in_vain ? "it welcomed this site and closed the connection" : "no connection";
  std::optional<Rejection> rejected;  // the last one, which may be over by now
  for (bool first = !in_vain;; first = false) {
    if (!first) {
      if (seconds_since(start) > patience) {
        if (rejected) raise(*rejected);
        throw detail::Unreachable(options_, why + " within " + number(patience) + " s");
      }
      std::this_thread::sleep_for(retry_after);
    }
    connection_.reset();
    connection_ = std::make_unique<SiteConnection>(options_, std::min(2.0, patience));
    if (connection_->connected()) {
      const SiteConnection::Answer answer = connection_->greet(
          {.run = offer_.run, .configuration_digest = configuration_digest_, .next = next, .history = history_},
          offer_.layout);
      if (!answer.broken && !answer.rejected) break;
      why = "it closed the connection";
      if (answer.rejected) rejected = answer.rejected;
      if (answer.rejected && past_checkpoint_ && answer.rejected->kind() == ErrorKind::data)
        throw CheckpointNeeded(answer.rejected->info());
      if (answer.rejected && !answer.rejected->later()) raise(*answer.rejected);
    }
  }
  if (broken) tell("connected again");
  was_connected_ = true;
}

void GrpcSite::meet(ExchangeId id, std::size_t pieces, const Piece& piece, std::span<double> total) {
  using Event = SiteConnection::Event;
  if (!connection_ || !connection_->joined()) connect(id);
  while (true) {
    SiteConnection& connection = *connection_;
    connection.expect(id, total.size());
    Event event = Event::again;
    while (event == Event::again) {
      const std::uint32_t attempt = connection.attempt();
      event = connection.event(attempt, 0.0);
      for (std::size_t index = 0; index < pieces && id >= connection.live() && event == Event::nothing; ++index) {
        wire::FromSite message;
        wire::Piece& out = *message.mutable_piece();
        out.set_exchange(id);
        out.set_attempt(attempt);
        out.set_index(index);
        piece(index, *out.mutable_values());
        if (!connection.write(message)) break;  // the reader learns why
        event = connection.event(attempt, 0.0);
      }
      // The server has deadlines for each site it waits for, and a dead connection is noticed by its keep-alive.
      while (event == Event::nothing) event = connection.event(attempt, 1.0);
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

void GrpcSite::sum_as(ExchangeId id, std::span<const ClientId>, std::span<const Node> mine, std::span<double> total) {
  const Pieces pieces{total.size()};
  const auto piece = [&](std::size_t index, std::string& bytes) {
    for (const Node& node : mine) detail::put_values(node.sum.subspan(pieces.first(index), pieces.size(index)), bytes);
  };
  meet(id, mine.empty() ? 0 : pieces.count(), piece, total);
}

void GrpcSite::share_as(ExchangeId id, std::size_t, std::span<const double> mine, std::span<double> all,
                        const RowCheck&) {
  const Pieces pieces{mine.size()};
  const auto piece = [&](std::size_t index, std::string& bytes) {
    detail::put_values(mine.subspan(pieces.first(index), pieces.size(index)), bytes);
  };
  meet(id, pieces.count(), piece, all);
}

// The server passes through all exchanges in turn, so a jump needs a new connection. It is made when a collective needs
// it and not before: a run of several methods jumps past each finished one, to totals that the server need no longer
// keep, before it loads the checkpoint that tells where it really continues.
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
    } catch (const Error&) { return false; }  // a later checkpoint will do
  }
  const auto start = Clock::now();
  while (true) {
    try {
      if (!connection_) connect(here);
      if (connection_->secure(offer_.run, here) >= here) return true;
      throw detail::Unreachable(options_, "it cannot bring its journal to the disk");
    } catch (const TransportError&) {
      if (seconds_since(start) > options_.grace) throw;
    }
    std::this_thread::sleep_for(retry_after);
    connect(here);
  }
}

void GrpcSite::on_checkpoint() {
  if (!connection_ || !connection_->joined()) return;
  wire::FromSite message;
  message.mutable_saved()->set_next_exchange(next_exchange());
  connection_->write(message);  // where it is lost, the next one says more
}

void GrpcSite::bye() {
  if (!connection_) {
    say_finished();
    return;
  }
  wire::FromSite message;
  message.mutable_bye();
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

bool GrpcSite::join_once() noexcept {
  try {
    connection_ = std::make_unique<SiteConnection>(options_, std::min(2.0, options_.first_contact));
    const SiteConnection::Answer answer = connection_->connected()
                                              ? connection_->greet({.run = offer_.run,
                                                                    .configuration_digest = configuration_digest_,
                                                                    .next = next_exchange(),
                                                                    .history = history_},
                                                                   offer_.layout)
                                              : SiteConnection::Answer{.broken = true};
    if (!answer.broken && !answer.rejected) return true;
  } catch (const std::exception&) {}
  connection_.reset();
  return false;
}

bool GrpcSite::say_finished() noexcept {
  try {
    SiteConnection connection(options_, std::min(2.0, options_.first_contact));
    if (!connection.connected()) return false;
    const SiteConnection::Answer answer = connection.greet(
        {.run = offer_.run, .configuration_digest = configuration_digest_, .next = next_exchange(), .finished = true},
        offer_.layout);
    if (answer.broken || answer.rejected) return false;
    connection.leave();
    return true;
  } catch (const std::exception&) { return false; }
}

// A site that fails before its first collective is not connected yet; the others would wait for it.
void GrpcSite::abort(std::string_view reason) noexcept {
  if (!connection_ && !join_once()) return;
  if (!connection_->joined()) return;
  wire::FromSite message;
  detail::fill(Rejection{ErrorKind::communication,
                         {.what = "the site failed", .seen = std::string(reason), .advice = "see what the site says"}},
               *message.mutable_failure());
  connection_->write(message);
  connection_->leave();
  connection_.reset();
}

}  // namespace driftless
