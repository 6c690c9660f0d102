// One connection of a site: which messages it may send, and which it receives.
#include "driftless/network/hub/hub.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>

namespace driftless {
namespace {

using detail::totals_are_removed;

// Chunks that a site may be ahead of the slowest one.
constexpr std::size_t window = 2;

Rejection misbehaviour(std::string what, std::string seen, std::string advice) {
  return {ErrorKind::communication, {.what = std::move(what), .seen = std::move(seen), .advice = std::move(advice)}};
}

constexpr const char* same_program = "use the same program at the server and at all sites";

std::string chunk_text(ExchangeId id, std::size_t index) {
  return "exchange " + std::to_string(id) + ", chunk " + std::to_string(index);
}

}  // namespace

void Hub::require_admissible(std::size_t slot, ExchangeId next, std::optional<History> history) const {
  const Site& state = sites_[slot];
  const std::string& site = slots_[slot].site;
  if (ended_) throw *ended_;
  if (state.misbehaviour) throw Rejection{ErrorKind::communication, *state.misbehaviour};
  if (state.lost)
    throw Rejection{ErrorKind::communication,
                    {.what = "the run continues without this site",
                     .seen = "site '" + site + "' was dropped",
                     .advice = "join the next run"}};
  if (state.connection != nullptr)
    throw Rejection{ErrorKind::communication,
                    {.what = "this site is connected already",
                     .seen = "site '" + site + "' has a connection",
                     .advice = "give every site a name and certificate of its own, and start it once"},
                    true};
  if (next > journal_.next())
    throw Rejection{ErrorKind::data,
                    {.what = "the site is further than the server",
                     .seen = "site '" + site + "' knows exchange " + std::to_string(next) + ", the server " +
                             std::to_string(journal_.next()),
                     .advice = "start the site again, so that it continues from its checkpoint; if that does not help, "
                               "start the server with the folder it used before"}};
  if (next < journal_.next() && !journal_.has(next)) throw totals_are_removed("site '" + site + "'", next);
  const std::optional<Position> here = journal_.position_before(next);
  if (history && here && *history != here->history)
    throw Rejection{ErrorKind::data,
                    {.what = "the server and the site have seen different totals",
                     .seen = "site '" + site + "', before exchange " + std::to_string(next) +
                             ": its checkpoint does not belong to the journal of the server",
                     .advice = "put back the folders of one and the same run, at the server and at the site"}};
}

std::unique_ptr<HubConnection> Hub::join(std::size_t slot, ExchangeId next, std::optional<History> history) {
  const Lock lock(mutex_);
  require_admissible(slot, next, history);
  Site& state = sites_[slot];
  std::unique_ptr<HubConnection> connection(new HubConnection(*this, slot, next));
  connection->live_ = journal_.next();
  state.connection = connection.get();
  state.since = Clock::now();
  state.finished = false;
  if (live_ && !live_->done) {  // the site sends its rows again
    live_->received[slot] = 0;
    live_->out_of_range.erase(slot);
    for (auto& [index, rows] : live_->arrived)
      std::erase_if(rows, [&](const auto& row) {
        if (row.first == slot) rows_held_ -= row.second.size();
        return row.first == slot;
      });
  }
  report(state.has_joined ? HubEvent::Kind::returned : HubEvent::Kind::joined, slot,
         state.has_joined ? "is back" : "joined");
  state.has_joined = true;
  state.declined.clear();
  changed_.notify_all();
  return connection;
}

void Hub::on_decline(std::size_t slot, const std::string& reason) {
  const Lock lock(mutex_);
  sites_[slot].declined = reason;
  report(HubEvent::Kind::declined, slot, "declines: " + reason);
}

void Hub::mark_finished(std::size_t slot) {
  const Lock lock(mutex_);
  if (sites_[slot].connection != nullptr) return;  // its connection reports the end
  sites_[slot].has_joined = true;
  sites_[slot].finished = true;
  report(HubEvent::Kind::finished, slot, "has everything");
  changed_.notify_all();
}

HubConnection::HubConnection(Hub& hub, std::size_t slot, ExchangeId next)
    : hub_(hub), slot_(slot), live_(next), cursor_(next) {}

HubConnection::~HubConnection() {
  const Lock lock(hub_.mutex_);
  Site& state = hub_.sites_[slot_];
  state.connection = nullptr;
  state.since = Clock::now();
  if (!state.finished && !state.lost && !hub_.ended_) hub_.report(HubEvent::Kind::left, slot_, "left");
  hub_.changed_.notify_all();
}

void HubConnection::close() {
  const Lock lock(hub_.mutex_);
  closed_ = true;
  hub_.changed_.notify_all();
}

void HubConnection::reject(ErrorInfo info) {
  const Lock lock(hub_.mutex_);
  if (hub_.sites_[slot_].misbehaviour) return;
  hub_.report(HubEvent::Kind::rejected, slot_, "is cut off: " + info.what + " (" + info.seen + ")");
  hub_.sites_[slot_].misbehaviour = std::move(info);
  hub_.changed_.notify_all();
}

void HubConnection::on_abort(ErrorInfo reason) {
  const Lock lock(hub_.mutex_);
  if (hub_.ended_) return;  // the site repeats the reason that it received
  hub_.report(HubEvent::Kind::left, slot_, "aborted the run: " + reason.what + " (" + reason.seen + ")");
  hub_.sites_[slot_].misbehaviour = std::move(reason);
  hub_.changed_.notify_all();
}

void HubConnection::on_checkpoint(ExchangeId next) {
  const Lock lock(hub_.mutex_);
  hub_.sites_[slot_].checkpoint = std::min(next, hub_.journal_.next());
  hub_.remove_unneeded_totals();
}

void HubConnection::on_finished() {
  const Lock lock(hub_.mutex_);
  const bool interrupted = hub_.signal_ == StopSignal::interrupted || hub_.signal_ == StopSignal::terminated;
  if (!std::exchange(hub_.sites_[slot_].finished, true))
    hub_.report(interrupted ? HubEvent::Kind::left : HubEvent::Kind::finished, slot_,
                interrupted ? "left, as the run is interrupted" : "has everything");
  hub_.changed_.notify_all();
}

Hub::Outgoing HubConnection::next() {
  Lock lock(hub_.mutex_);
  Site& state = hub_.sites_[slot_];
  while (true) {
    if (rejection_sent_ || (closed_ && !state.misbehaviour)) return {.kind = Hub::Outgoing::Kind::closed};
    if (state.misbehaviour) return reject_with({ErrorKind::communication, *state.misbehaviour});
    if (hub_.ended_ && cursor_ >= hub_.journal_.next()) return reject_with(*hub_.ended_);
    while (current_ && current_->successor) {
      current_ = current_->successor;
      sent_ = 0;
    }
    if (!current_ || current_->id != cursor_) {
      if (cursor_ < hub_.journal_.next() && !(hub_.live_ && hub_.live_->id == cursor_) && !hub_.journal_.has(cursor_))
        return reject_with(totals_are_removed("site '" + hub_.slots_[slot_].site + "'", cursor_));
      select_exchange();
    }
    if (std::optional<Hub::Outgoing> out = next_of_current()) {
      state.bytes_sent += out->values.size_bytes();
      return *std::move(out);
    }
    hub_.changed_.wait(lock);
  }
}

Hub::Outgoing HubConnection::reject_with(Rejection rejection) {
  rejection_sent_ = true;
  return {.kind = Hub::Outgoing::Kind::rejection, .rejection = std::move(rejection)};
}

// The exchange whose total the site receives next: the one under way, or a completed one; none before it starts.
void HubConnection::select_exchange() {
  current_.reset();
  sent_ = 0;
  attempt_ = 0;
  asked_ = 0;
  if (hub_.live_ && hub_.live_->id == cursor_) current_ = hub_.live_;
  else if (cursor_ < hub_.journal_.next()) {
    auto past = std::make_shared<Exchange>();
    Total total = hub_.journal_.read(cursor_);
    past->id = cursor_;
    past->values = std::move(total.values);
    past->agreement = hub_.without_old_interruption(cursor_, std::move(total.agreement));
    past->history = total.history;
    past->ready = past->chunks().count();
    past->done = true;
    current_ = std::move(past);
  }
}

std::optional<Hub::Outgoing> HubConnection::next_of_current() {
  if (!current_) return std::nullopt;
  if (attempt_ != current_->attempt) {
    attempt_ = current_->attempt;
    sent_ = 0;
    asked_ = 0;
    return Hub::Outgoing{
        .kind = Hub::Outgoing::Kind::repeat,
        .exchange = cursor_,
        .attempt = attempt_,
        .agreement = {.absent = current_->unmasking ? current_->unmasking->absent : hub_.absent_}};
  }
  if (current_->unmasking && !current_->done && asked_ < current_->unmasking->question &&
      !hub_.owes_rows(*current_, slot_)) {
    asked_ = current_->unmasking->question;
    return Hub::Outgoing{.kind = Hub::Outgoing::Kind::unmask,
                         .exchange = cursor_,
                         .attempt = attempt_,
                         .lost = current_->unmasking->lost};
  }
  const bool is_masked = hub_.unmasks(*current_) && !current_->done;
  if (sent_ < current_->ready && !is_masked) {
    const Chunks chunks = current_->chunks();
    const std::size_t index = sent_++;
    return Hub::Outgoing{.kind = Hub::Outgoing::Kind::chunk,
                         .exchange = cursor_,
                         .attempt = attempt_,
                         .index = index,
                         .values = std::span(current_->values).subspan(chunks.first(index), chunks.size(index)),
                         .owner = current_};
  }
  if (!current_->done) return std::nullopt;
  return Hub::Outgoing{.kind = Hub::Outgoing::Kind::done,
                       .exchange = cursor_++,
                       .attempt = attempt_,
                       .agreement = current_->agreement,
                       .history = current_->history};
}

void HubConnection::receive(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values) {
  const RowRange range = range_of(values);  // without the lock, because it reads every number
  Lock lock(hub_.mutex_);
  hub_.sites_[slot_].bytes_received += values.size() * sizeof(double);
  if (id < hub_.journal_.next()) return;  // complete: the site will receive the total
  if (id > hub_.journal_.next())
    throw misbehaviour("the site sent rows of an exchange that is not under way",
                       "exchange " + std::to_string(id) + ", the run is at " + std::to_string(hub_.journal_.next()),
                       same_program);
  hub_.changed_.wait(lock, [&] { return closed_ || hub_.ended_ || (hub_.live_ && hub_.live_->id >= id); });
  if (closed_ || hub_.ended_ || hub_.live_->id > id) return;
  const std::shared_ptr<Exchange> exchange = hub_.live_;
  if (attempt > exchange->attempt)
    throw misbehaviour("the site sent rows of an attempt that was never requested",
                       chunk_text(id, index) + ", attempt " + std::to_string(attempt), same_program);
  const auto too_late = [&] {
    return closed_ || hub_.ended_ || hub_.live_ != exchange || attempt != exchange->attempt || exchange->done;
  };
  if (too_late() || exchange->out_of_range.contains(slot_)) return;
  require_expected(*exchange, index, values);
  if (record_out_of_range(*exchange, index, values, range)) return;
  hub_.changed_.wait(lock, [&] { return too_late() || !exchange->is_sum || index < exchange->ready + window; });
  if (too_late()) return;
  if (exchange->is_sum && index < exchange->ready) {  // the site reconnected and repeats what was added before
    exchange->received[slot_] = index + 1;
    hub_.finish_if_complete(*exchange);
    hub_.changed_.notify_all();
    return;
  }
  hub_.accept(slot_, *exchange, index, std::move(values));
}

void HubConnection::require_expected(const Exchange& exchange, std::size_t index,
                                     std::span<const double> values) const {
  const Chunks chunks = exchange.contributions[slot_];
  if (index != exchange.received[slot_] || index >= chunks.count())
    throw misbehaviour("the site sent a chunk out of turn",
                       chunk_text(exchange.id, index) + ", expected " + std::to_string(exchange.received[slot_]) +
                           " of " + std::to_string(chunks.count()),
                       same_program);
  const std::size_t expected = chunks.size(index) * (exchange.is_sum ? exchange.covers[slot_].size() : 1);
  if (values.size() != expected)
    throw misbehaviour("the site sent rows of another size",
                       chunk_text(exchange.id, index) + ": " + std::to_string(values.size()) + " numbers, expected " +
                           std::to_string(expected),
                       "make sure that all sites have data of the same dimension");
}

// True where numbers are out of range; the consequence depends on the other sites.
bool HubConnection::record_out_of_range(Exchange& exchange, std::size_t index, std::span<const double> values,
                                        const RowRange& range) {
  Site& state = hub_.sites_[slot_];
  if (exchange.addition == Addition::modular) return false;  // any bits are an integer
  if (range.suspicious && !state.suspicious) state.suspicious = exchange.id;
  if (range.inside) return false;
  const std::size_t at = first_outside(values);
  const Chunks chunks = exchange.contributions[slot_];
  exchange.out_of_range[slot_] = chunk_text(exchange.id, index) + ", site '" + hub_.slots_[slot_].site + "', entry " +
                                 std::to_string(chunks.first(index) + at % chunks.size(index)) + ": " +
                                 number(values[at]);
  hub_.judge_out_of_range(exchange);
  hub_.changed_.notify_all();
  return true;
}

}  // namespace driftless
