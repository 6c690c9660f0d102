// One connection of a site: what it may send, and what it is sent.
#include "driftless/network/hub/hub.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>

namespace driftless {
namespace {

using detail::forgotten;

// Pieces that a site may be ahead of the slowest one.
constexpr std::size_t window = 2;

Rejection misbehaviour(std::string what, std::string seen, std::string advice) {
  return {ErrorKind::communication, {.what = std::move(what), .seen = std::move(seen), .advice = std::move(advice)}};
}

constexpr const char* same_program = "use the same program at the server and at all sites";

std::string piece_text(ExchangeId id, std::size_t index) {
  return "exchange " + std::to_string(id) + ", piece " + std::to_string(index);
}

}  // namespace

void Hub::require_admissible(std::size_t site, ExchangeId next, std::optional<History> history) const {
  const SiteState& state = states_[site];
  const std::string& name = sites_[site].name;
  if (ended_) throw *ended_;
  if (state.misbehaved) throw Rejection{ErrorKind::communication, *state.misbehaved};
  if (state.lost)
    throw Rejection{ErrorKind::communication,
                    {.what = "the run continues without this site",
                     .seen = "site '" + name + "' was dropped",
                     .advice = "join the next run"}};
  if (state.connection != nullptr)
    throw Rejection{ErrorKind::communication,
                    {.what = "this site is here already",
                     .seen = "site '" + name + "' has a connection",
                     .advice = "give every site a name and certificate of its own, and start it once"},
                    true};
  if (next > journal_.next())
    throw Rejection{ErrorKind::data,
                    {.what = "the site is further than the server",
                     .seen = "site '" + name + "' knows exchange " + std::to_string(next) + ", the server " +
                             std::to_string(journal_.next()),
                     .advice = "start the site again, so that it continues from its checkpoint; if that does not help, "
                               "start the server with the folder it used before"}};
  if (next < journal_.next() && !journal_.has(next)) throw forgotten("site '" + name + "'", next);
  const std::optional<Position> here = journal_.position_before(next);
  if (history && here && *history != here->history)
    throw Rejection{ErrorKind::data,
                    {.what = "the server and the site have seen different totals",
                     .seen = "site '" + name + "', before exchange " + std::to_string(next) +
                             ": its checkpoint does not belong to the journal of the server",
                     .advice = "put back the folders of one and the same run, at the server and at the site"}};
}

std::unique_ptr<HubConnection> Hub::enter(std::size_t site, ExchangeId next, std::optional<History> history) {
  const Lock lock(mutex_);
  require_admissible(site, next, history);
  SiteState& site_state = states_[site];
  std::unique_ptr<HubConnection> connection(new HubConnection(*this, site, next));
  connection->live_ = journal_.next();
  site_state.connection = connection.get();
  site_state.since = Clock::now();
  site_state.finished = false;
  if (live_ && !live_->done) {  // it sends its rows again
    live_->given[site] = 0;
    live_->outside.erase(site);
    for (auto& [index, rows] : live_->arrived)
      std::erase_if(rows, [&](const auto& row) {
        if (row.first == site) rows_held_ -= row.second.size();
        return row.first == site;
      });
  }
  tell(site_state.came ? HubEvent::Kind::returned : HubEvent::Kind::joined, site,
       site_state.came ? "is back" : "joined");
  site_state.came = true;
  changed_.notify_all();
  return connection;
}

void Hub::mark_finished(std::size_t site) {
  const Lock lock(mutex_);
  if (states_[site].connection != nullptr) return;  // its connection will say so
  states_[site].came = true;
  states_[site].finished = true;
  tell(HubEvent::Kind::finished, site, "has everything");
  changed_.notify_all();
}

HubConnection::HubConnection(Hub& hub, std::size_t site, ExchangeId next)
    : hub_(hub), site_(site), live_(next), cursor_(next) {}

HubConnection::~HubConnection() {
  const Lock lock(hub_.mutex_);
  SiteState& site_state = hub_.states_[site_];
  site_state.connection = nullptr;
  site_state.since = Clock::now();
  if (!site_state.finished && !site_state.lost && !hub_.ended_) hub_.tell(HubEvent::Kind::left, site_, "left");
  hub_.changed_.notify_all();
}

void HubConnection::close() {
  const Lock lock(hub_.mutex_);
  closed_ = true;
  hub_.changed_.notify_all();
}

void HubConnection::reject(ErrorInfo info) {
  const Lock lock(hub_.mutex_);
  if (hub_.states_[site_].misbehaved) return;
  hub_.tell(HubEvent::Kind::rejected, site_, "is cut off: " + info.what + " (" + info.seen + ")");
  hub_.states_[site_].misbehaved = std::move(info);
  hub_.changed_.notify_all();
}

void HubConnection::failed(ErrorInfo reason) {
  const Lock lock(hub_.mutex_);
  if (hub_.ended_) return;  // it repeats the reason that it was given
  hub_.tell(HubEvent::Kind::left, site_, "failed: " + reason.what + " (" + reason.seen + ")");
  hub_.states_[site_].misbehaved = std::move(reason);
  hub_.changed_.notify_all();
}

void HubConnection::saved(ExchangeId next) {
  const Lock lock(hub_.mutex_);
  hub_.states_[site_].saved = std::min(next, hub_.journal_.next());
  hub_.forget();
}

void HubConnection::finished() {
  const Lock lock(hub_.mutex_);
  const bool for_now = hub_.signal_ == StopSignal::interrupted || hub_.signal_ == StopSignal::terminated;
  if (!std::exchange(hub_.states_[site_].finished, true))
    hub_.tell(for_now ? HubEvent::Kind::left : HubEvent::Kind::finished, site_,
              for_now ? "left, as the run is interrupted" : "has everything");
  hub_.changed_.notify_all();
}

Hub::Outgoing HubConnection::next() {
  Lock lock(hub_.mutex_);
  SiteState& site_state = hub_.states_[site_];
  while (true) {
    if (rejection_sent_ || (closed_ && !site_state.misbehaved)) return {.kind = Hub::Outgoing::Kind::closed};
    if (site_state.misbehaved) return rejection({ErrorKind::communication, *site_state.misbehaved});
    if (hub_.ended_ && cursor_ >= hub_.journal_.next()) return rejection(*hub_.ended_);
    const bool replaced = hub_.live_ && hub_.live_->id == cursor_ && current_ != hub_.live_;  // after a loss
    if (!current_ || current_->id != cursor_ || replaced) {
      if (cursor_ < hub_.journal_.next() && !(hub_.live_ && hub_.live_->id == cursor_) && !hub_.journal_.has(cursor_))
        return rejection(forgotten("site '" + hub_.sites_[site_].name + "'", cursor_));
      take_up();
    }
    if (std::optional<Hub::Outgoing> out = of_current()) {
      site_state.bytes_sent += out->values.size_bytes();
      return *std::move(out);
    }
    hub_.changed_.wait(lock);
  }
}

Hub::Outgoing HubConnection::rejection(Rejection rejection) {
  rejection_sent_ = true;
  return {.kind = Hub::Outgoing::Kind::rejection, .rejection = std::move(rejection)};
}

// The exchange that the site is at: the one under way, or one of the past; none before it has started.
void HubConnection::take_up() {
  current_.reset();
  sent_ = 0;
  attempt_ = 0;
  if (hub_.live_ && hub_.live_->id == cursor_) current_ = hub_.live_;
  else if (cursor_ < hub_.journal_.next()) {
    auto past = std::make_shared<Exchange>();
    Total total = hub_.journal_.read(cursor_);
    past->id = cursor_;
    past->values = std::move(total.values);
    past->agreement = hub_.still_valid(cursor_, std::move(total.agreement));
    past->history = total.history;
    past->ready = past->pieces().count();
    past->done = true;
    current_ = std::move(past);
  }
}

std::optional<Hub::Outgoing> HubConnection::of_current() {
  if (!current_) return std::nullopt;
  if (attempt_ != current_->attempt) {
    attempt_ = current_->attempt;
    sent_ = 0;
    return Hub::Outgoing{.kind = Hub::Outgoing::Kind::again, .exchange = cursor_, .attempt = attempt_};
  }
  if (sent_ < current_->ready) {
    const Pieces pieces = current_->pieces();
    const std::size_t index = sent_++;
    return Hub::Outgoing{.kind = Hub::Outgoing::Kind::piece,
                         .exchange = cursor_,
                         .attempt = attempt_,
                         .index = index,
                         .values = std::span(current_->values).subspan(pieces.first(index), pieces.size(index)),
                         .holds = current_};
  }
  if (!current_->done) return std::nullopt;
  return Hub::Outgoing{.kind = Hub::Outgoing::Kind::done,
                       .exchange = cursor_++,
                       .attempt = attempt_,
                       .agreement = current_->agreement,
                       .history = current_->history};
}

void HubConnection::rows(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values) {
  const RowRange range = range_of(values);  // before the lock, as it looks at every number
  Lock lock(hub_.mutex_);
  hub_.states_[site_].bytes_received += values.size() * sizeof(double);
  if (id < hub_.journal_.next()) return;  // over: the site will get the total
  if (id > hub_.journal_.next())
    throw misbehaviour("the site sent rows of an exchange that nobody is at",
                       "exchange " + std::to_string(id) + ", the run is at " + std::to_string(hub_.journal_.next()),
                       same_program);
  hub_.changed_.wait(lock, [&] { return closed_ || hub_.ended_ || (hub_.live_ && hub_.live_->id >= id); });
  if (closed_ || hub_.ended_ || hub_.live_->id > id) return;
  const std::shared_ptr<Exchange> exchange = hub_.live_;
  if (attempt > exchange->attempt)
    throw misbehaviour("the site sent rows of an attempt that was never asked for",
                       piece_text(id, index) + ", attempt " + std::to_string(attempt), same_program);
  const auto too_late = [&] {
    return closed_ || hub_.ended_ || hub_.live_ != exchange || attempt != exchange->attempt || exchange->done;
  };
  if (too_late() || exchange->outside.contains(site_)) return;
  require_due(*exchange, index, values);
  if (note_outside(*exchange, index, values, range)) return;
  hub_.changed_.wait(lock, [&] { return too_late() || !exchange->is_sum || index < exchange->ready + window; });
  if (too_late()) return;
  if (exchange->is_sum && index < exchange->ready) {  // it came back and repeats what was added before it left
    exchange->given[site_] = index + 1;
    hub_.finish_if_complete(*exchange);
    hub_.changed_.notify_all();
    return;
  }
  hub_.accept(site_, *exchange, index, std::move(values));
}

void HubConnection::require_due(const Exchange& exchange, std::size_t index, std::span<const double> values) const {
  const Pieces pieces = exchange.given_in[site_];
  if (index != exchange.given[site_] || index >= pieces.count())
    throw misbehaviour("the site sent a piece that was not its turn",
                       piece_text(exchange.id, index) + ", expected " + std::to_string(exchange.given[site_]) + " of " +
                           std::to_string(pieces.count()),
                       same_program);
  const std::size_t expected = pieces.size(index) * (exchange.is_sum ? exchange.covers[site_].size() : 1);
  if (values.size() != expected)
    throw misbehaviour("the site sent rows of another size",
                       piece_text(exchange.id, index) + ": " + std::to_string(values.size()) + " numbers, expected " +
                           std::to_string(expected),
                       "see that all sites have data of the same dimension");
}

// True where the numbers are out of range; what follows from it depends on the other sites.
bool HubConnection::note_outside(Exchange& exchange, std::size_t index, std::span<const double> values,
                                 const RowRange& range) {
  SiteState& site_state = hub_.states_[site_];
  if (range.suspicious && !site_state.suspicious) site_state.suspicious = exchange.id;
  if (range.inside) return false;
  const std::size_t at = first_outside(values);
  const Pieces pieces = exchange.given_in[site_];
  exchange.outside[site_] = piece_text(exchange.id, index) + ", site '" + hub_.sites_[site_].name + "', entry " +
                            std::to_string(pieces.first(index) + at % pieces.size(index)) + ": " + number(values[at]);
  hub_.judge_outside(exchange);
  hub_.changed_.notify_all();
  return true;
}

}  // namespace driftless
