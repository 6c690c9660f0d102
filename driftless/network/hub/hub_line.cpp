// One connection of a site: what it may send, and what it is sent.
#include "driftless/network/hub/hub_state.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>

namespace driftless {
namespace {

using detail::forgotten;

// Pieces that a site may be ahead of the slowest one.
constexpr std::size_t window = 2;

Refused misbehaviour(std::string what, std::string seen, std::string advice) {
  return {ExitCode::connection, {.what = std::move(what), .seen = std::move(seen), .advice = std::move(advice)}};
}

constexpr const char* same_program = "use the same program at the server and at all sites";

std::string piece_text(ExchangeId id, std::size_t index) {
  return "exchange " + std::to_string(id) + ", piece " + std::to_string(index);
}

}  // namespace

void Hub::require_admissible(std::size_t seat, ExchangeId next, std::optional<History> history) const {
  const Place& place = places_[seat];
  const std::string& site = seats_[seat].site;
  if (ended_) throw *ended_;
  if (place.misbehaved) throw Refused{ExitCode::connection, *place.misbehaved};
  if (place.lost)
    throw Refused{ExitCode::connection,
                  {.what = "the run continues without this site",
                   .seen = "site '" + site + "' was dropped",
                   .advice = "join the next run"}};
  if (place.line != nullptr)
    throw Refused{ExitCode::connection,
                  {.what = "this site is here already",
                   .seen = "site '" + site + "' has a connection",
                   .advice = "give every site a name and certificate of its own, and start it once"},
                  true};
  if (next > journal_.next())
    throw Refused{ExitCode::data,
                  {.what = "the site is further than the server",
                   .seen = "site '" + site + "' knows exchange " + std::to_string(next) + ", the server " +
                           std::to_string(journal_.next()),
                   .advice = "start the site again, so that it continues from its checkpoint; if that does not help, "
                             "start the server with the folder it used before"}};
  if (next < journal_.next() && !journal_.has(next)) throw forgotten("site '" + site + "'", next);
  const std::optional<Position> here = journal_.position_before(next);
  if (history && here && *history != here->history)
    throw Refused{ExitCode::data,
                  {.what = "the server and the site have seen different totals",
                   .seen = "site '" + site + "', before exchange " + std::to_string(next) +
                           ": its checkpoint does not belong to the journal of the server",
                   .advice = "put back the folders of one and the same run, at the server and at the site"}};
}

std::unique_ptr<Hub::Line> Hub::enter(std::size_t seat, ExchangeId next, std::optional<History> history) {
  const Lock lock(mutex_);
  require_admissible(seat, next, history);
  Place& place = places_[seat];
  std::unique_ptr<Line> line(new Line(*this, seat, next));
  line->live_ = journal_.next();
  place.line = line.get();
  place.since = Clock::now();
  place.finished = false;
  if (live_ && !live_->done) {  // it sends its rows again
    live_->given[seat] = 0;
    live_->outside.erase(seat);
    for (auto& [index, rows] : live_->arrived)
      std::erase_if(rows, [&](const auto& row) {
        if (row.first == seat) rows_held_ -= row.second.size();
        return row.first == seat;
      });
  }
  tell(place.came ? HubEvent::Kind::returned : HubEvent::Kind::joined, seat, place.came ? "is back" : "joined");
  place.came = true;
  changed_.notify_all();
  return line;
}

void Hub::mark_finished(std::size_t seat) {
  const Lock lock(mutex_);
  if (places_[seat].line != nullptr) return;  // its connection will say so
  places_[seat].came = true;
  places_[seat].finished = true;
  tell(HubEvent::Kind::finished, seat, "has everything");
  changed_.notify_all();
}

Hub::Line::Line(Hub& hub, std::size_t seat, ExchangeId next) : hub_(hub), seat_(seat), live_(next), cursor_(next) {}

Hub::Line::~Line() {
  const Lock lock(hub_.mutex_);
  Place& place = hub_.places_[seat_];
  place.line = nullptr;
  place.since = Clock::now();
  if (!place.finished && !place.lost && !hub_.ended_) hub_.tell(HubEvent::Kind::left, seat_, "left");
  hub_.changed_.notify_all();
}

void Hub::Line::close() {
  const Lock lock(hub_.mutex_);
  closed_ = true;
  hub_.changed_.notify_all();
}

void Hub::Line::refuse(Trouble trouble) {
  const Lock lock(hub_.mutex_);
  if (hub_.places_[seat_].misbehaved) return;
  hub_.tell(HubEvent::Kind::rejected, seat_, "is cut off: " + trouble.what + " (" + trouble.seen + ")");
  hub_.places_[seat_].misbehaved = std::move(trouble);
  hub_.changed_.notify_all();
}

void Hub::Line::gave_up(Trouble reason) {
  const Lock lock(hub_.mutex_);
  if (hub_.ended_) return;  // it repeats the reason that it was given
  hub_.tell(HubEvent::Kind::left, seat_, "gave up: " + reason.what + " (" + reason.seen + ")");
  hub_.places_[seat_].misbehaved = std::move(reason);
  hub_.changed_.notify_all();
}

void Hub::Line::saved(ExchangeId next) {
  const Lock lock(hub_.mutex_);
  hub_.places_[seat_].saved = std::min(next, hub_.journal_.next());
  hub_.forget();
}

void Hub::Line::finished() {
  const Lock lock(hub_.mutex_);
  const bool for_now = hub_.signal_ == StopSignal::interrupted || hub_.signal_ == StopSignal::terminated;
  if (!std::exchange(hub_.places_[seat_].finished, true))
    hub_.tell(for_now ? HubEvent::Kind::left : HubEvent::Kind::finished, seat_,
              for_now ? "left, as the run is interrupted" : "has everything");
  hub_.changed_.notify_all();
}

Hub::Outgoing Hub::Line::next() {
  Lock lock(hub_.mutex_);
  Place& place = hub_.places_[seat_];
  while (true) {
    if (refusal_sent_ || (closed_ && !place.misbehaved)) return {.kind = Outgoing::Kind::closed};
    if (place.misbehaved) return refusal({ExitCode::connection, *place.misbehaved});
    if (hub_.ended_ && cursor_ >= hub_.journal_.next()) return refusal(*hub_.ended_);
    const bool replaced = hub_.live_ && hub_.live_->id == cursor_ && current_ != hub_.live_;  // after a loss
    if (!current_ || current_->id != cursor_ || replaced) {
      if (cursor_ < hub_.journal_.next() && !(hub_.live_ && hub_.live_->id == cursor_) && !hub_.journal_.has(cursor_))
        return refusal(forgotten("site '" + hub_.seats_[seat_].site + "'", cursor_));
      take_up();
    }
    if (std::optional<Outgoing> out = of_current()) {
      place.bytes_sent += out->values.size_bytes();
      return *std::move(out);
    }
    hub_.changed_.wait(lock);
  }
}

Hub::Outgoing Hub::Line::refusal(Refused refused) {
  refusal_sent_ = true;
  return {.kind = Outgoing::Kind::refusal, .refused = std::move(refused)};
}

// The exchange that the site is at: the one under way, or one of the past; none before it has started.
void Hub::Line::take_up() {
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

std::optional<Hub::Outgoing> Hub::Line::of_current() {
  if (!current_) return std::nullopt;
  if (attempt_ != current_->attempt) {
    attempt_ = current_->attempt;
    sent_ = 0;
    return Outgoing{.kind = Outgoing::Kind::again, .exchange = cursor_, .attempt = attempt_};
  }
  if (sent_ < current_->ready) {
    const Pieces pieces = current_->pieces();
    const std::size_t index = sent_++;
    return Outgoing{.kind = Outgoing::Kind::piece,
                    .exchange = cursor_,
                    .attempt = attempt_,
                    .index = index,
                    .values = std::span(current_->values).subspan(pieces.first(index), pieces.size(index)),
                    .holds = current_};
  }
  if (!current_->done) return std::nullopt;
  return Outgoing{.kind = Outgoing::Kind::done,
                  .exchange = cursor_++,
                  .attempt = attempt_,
                  .agreement = current_->agreement,
                  .history = current_->history};
}

void Hub::Line::rows(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values) {
  const RowRange range = range_of(values);  // before the lock, as it looks at every number
  Lock lock(hub_.mutex_);
  hub_.places_[seat_].bytes_received += values.size() * sizeof(double);
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
  if (too_late() || exchange->outside.contains(seat_)) return;
  require_due(*exchange, index, values);
  if (note_outside(*exchange, index, values, range)) return;
  hub_.changed_.wait(lock, [&] { return too_late() || !exchange->is_sum || index < exchange->ready + window; });
  if (too_late()) return;
  if (exchange->is_sum && index < exchange->ready) {  // it came back and repeats what was added before it left
    exchange->given[seat_] = index + 1;
    hub_.finish_if_complete(*exchange);
    hub_.changed_.notify_all();
    return;
  }
  hub_.accept(seat_, *exchange, index, std::move(values));
}

void Hub::Line::require_due(const Exchange& exchange, std::size_t index, std::span<const double> values) const {
  const Pieces pieces = exchange.given_in[seat_];
  if (index != exchange.given[seat_] || index >= pieces.count())
    throw misbehaviour("the site sent a piece that was not its turn",
                       piece_text(exchange.id, index) + ", expected " + std::to_string(exchange.given[seat_]) + " of " +
                           std::to_string(pieces.count()),
                       same_program);
  const std::size_t expected = pieces.size(index) * (exchange.is_sum ? exchange.covers[seat_].size() : 1);
  if (values.size() != expected)
    throw misbehaviour("the site sent rows of another size",
                       piece_text(exchange.id, index) + ": " + std::to_string(values.size()) + " numbers, expected " +
                           std::to_string(expected),
                       "see that all sites have data of the same dimension");
}

// True where the numbers are out of range; what follows from it depends on the other sites.
bool Hub::Line::note_outside(Exchange& exchange, std::size_t index, std::span<const double> values,
                             const RowRange& range) {
  Place& place = hub_.places_[seat_];
  if (range.suspicious && !place.suspicious) place.suspicious = exchange.id;
  if (range.inside) return false;
  const std::size_t at = first_outside(values);
  const Pieces pieces = exchange.given_in[seat_];
  exchange.outside[seat_] = piece_text(exchange.id, index) + ", site '" + hub_.seats_[seat_].site + "', entry " +
                            std::to_string(pieces.first(index) + at % pieces.size(index)) + ": " + number(values[at]);
  hub_.judge_outside(exchange);
  hub_.changed_.notify_all();
  return true;
}

}  // namespace driftless
