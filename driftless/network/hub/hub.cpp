#include "driftless/core/check.hpp"
#include "driftless/network/hub/hub_state.hpp"

#include <algorithm>

namespace driftless {

using detail::forgotten;
using detail::look_around;
using detail::seconds_since;

Hub::Hub(std::size_t clients, std::vector<Seat> seats, Journal& journal, HubOptions options)
    : clients_(clients),
      seats_(std::move(seats)),
      options_(std::move(options)),
      journal_(journal),
      first_live_(journal.next()),
      places_(seats_.size()),
      absent_(journal.last_agreement().absent) {
  for (std::size_t s = 0; s < seats_.size(); ++s) {
    places_[s].lost = std::ranges::binary_search(absent_, seats_[s].hosted.front());
    places_[s].finished = std::ranges::count(options_.finished, seats_[s].site) > 0;
  }
}

Hub::~Hub() = default;

void Hub::tell(HubEvent::Kind kind, std::size_t seat, const std::string& text) const {
  if (options_.on_event)
    options_.on_event({.kind = kind, .site = seats_[seat].site, .text = "site '" + seats_[seat].site + "' " + text});
}

void Hub::throw_if_ended() const {
  if (ended_) throw Error(ended_->code, ended_->trouble);
}

std::optional<Agreement> Hub::from_journal(ExchangeId id, std::span<double> result) {
  const Lock lock(mutex_);
  throw_if_ended();
  if (id >= journal_.next()) return std::nullopt;
  if (!journal_.has(id)) {
    const Refused refused = forgotten("the server", id);
    throw Error(refused.code, refused.trouble);
  }
  const Total total = journal_.read(id);
  if (total.values.size() != result.size())
    throw DataError({.what = "the journal is not that of this run",
                     .seen = "total " + std::to_string(id) + " has " + std::to_string(total.values.size()) +
                             " entries, expected " + std::to_string(result.size()),
                     .advice = "start a new run in another folder"});
  std::ranges::copy(total.values, result.begin());
  return still_valid(id, total.agreement);
}

// An interruption ended an earlier process of the server, and the sites with it. A site that was away then and now
// catches up must not end for it: the run continues.
Agreement Hub::still_valid(ExchangeId id, Agreement agreement) const {
  const bool interruption = agreement.signal == StopSignal::interrupted || agreement.signal == StopSignal::terminated;
  if (id < first_live_ && interruption) agreement.signal = StopSignal::none;
  return agreement;
}

Agreement Hub::sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total) {
  if (auto known = from_journal(id, total)) return *known;
  begin_sum(id, from, total.size());
  return meet(total);
}

Agreement Hub::share(ExchangeId id, std::size_t width, std::span<double> all, const RowCheck& check) {
  if (auto known = from_journal(id, all)) return *known;
  begin_share(id, width, check);
  return meet(all);
}

void Hub::begin_sum(ExchangeId id, std::span<const ClientId> from, std::size_t width) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->values.resize(width);
  for (const Seat& seat : seats_) {
    exchange->covers.push_back(cover(clients_, from, seat.hosted));
    exchange->given_in.push_back({exchange->covers.back().empty() ? 0 : width});
  }
  begin(std::move(exchange));
}

void Hub::begin_share(ExchangeId id, std::size_t width, const RowCheck& check) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->is_sum = false;
  exchange->check = check;
  exchange->values.resize(clients_ * width);
  for (const Seat& seat : seats_) exchange->given_in.push_back({seat.hosted.size() * width});
  begin(std::move(exchange));
}

void Hub::begin(std::shared_ptr<Exchange> exchange) {
  const Lock lock(mutex_);
  throw_if_ended();
  DRIFTLESS_ASSERT(exchange->id == journal_.next(), "the server left out an exchange");
  exchange->given.assign(seats_.size(), 0);
  live_ = std::move(exchange);
  finish_if_complete(*live_);
  changed_.notify_all();
}

bool Hub::is_over() {
  const Lock lock(mutex_);
  return look_after_live();
}

bool Hub::look_after_live() {
  if (live_->done) return true;
  check_losses();
  throw_if_ended();
  return live_->done;
}

Agreement Hub::meet(std::span<double> result) {
  Lock lock(mutex_);
  while (!look_after_live()) changed_.wait_for(lock, look_around);
  std::ranges::copy(live_->values, result.begin());
  return live_->agreement;
}

bool Hub::wanted(const Exchange& exchange, std::size_t seat) const {
  return !places_[seat].lost && exchange.given[seat] < exchange.given_in[seat].count();
}

// Whether the others wait for this site. One that is ahead of the slowest may not send more, and is not to blame.
bool Hub::delays(const Exchange& exchange, std::size_t seat) const {
  return wanted(exchange, seat) && (!exchange.is_sum || exchange.given[seat] <= exchange.ready);
}

void Hub::broadcast(StopSignal signal) {
  const Lock lock(mutex_);
  signal_ = signal;
}

void Hub::saved(ExchangeId next) {
  const Lock lock(mutex_);
  own_saved_ = next;
  forget();
}

ExchangeId Hub::make_durable(ExchangeId before) {
  Lock lock(mutex_);
  if (journal_.durable() >= before) return journal_.durable();
  const Journal::Sync sync = journal_.begin_sync();
  lock.unlock();
  sync.wait();
  lock.lock();
  journal_.end_sync(sync);
  return journal_.durable();
}

void Hub::keep_before(ExchangeId id) {
  const Lock lock(mutex_);
  journal_.keep_before(id);
}

void Hub::stop_keeping() {
  const Lock lock(mutex_);
  journal_.stop_keeping();
}

void Hub::forget() {
  ExchangeId needed = own_saved_;
  for (const Place& place : places_)
    if (!place.lost && !place.finished) needed = std::min(needed, place.saved);
  journal_.forget_before(needed);
}

void Hub::end(ExitCode code, Trouble reason) noexcept {
  const Lock lock(mutex_);
  if (!ended_) {
    if (options_.on_event) options_.on_event({.kind = HubEvent::Kind::ended, .site = {}, .text = reason.what});
    ended_ = Refused{code, std::move(reason)};
  }
  changed_.notify_all();
}

std::size_t Hub::most_rows_held() const {
  const Lock lock(mutex_);
  return most_rows_held_;
}

ExchangeId Hub::next_exchange() const {
  const Lock lock(mutex_);
  return journal_.next();
}

std::optional<Position> Hub::position_before(ExchangeId id) const {
  const Lock lock(mutex_);
  return journal_.position_before(id);
}

void Hub::accept(std::size_t seat, Exchange& exchange, std::size_t index, std::vector<double> values) {
  if (exchange.is_sum) {
    exchange.given[seat] = index + 1;
    rows_held_ += values.size();
    most_rows_held_ = std::max(most_rows_held_, rows_held_);
    exchange.arrived[index].emplace_back(seat, std::move(values));
    merge_ready(exchange);
  } else {
    place_rows(seat, exchange, index, values);
    if (index + 1 == exchange.given_in[seat].count()) check_rows(seat, exchange);
    exchange.given[seat] = index + 1;
  }
  judge_outside(exchange);
  finish_if_complete(exchange);
  changed_.notify_all();
}

// The rows of a seat arrive as one sequence; each belongs to the row of its client.
void Hub::place_rows(std::size_t seat, Exchange& exchange, std::size_t index, std::span<const double> values) {
  const std::size_t width = exchange.values.size() / clients_;
  std::size_t at = exchange.given_in[seat].first(index);
  for (const double value : values) {
    exchange.values[seats_[seat].hosted[at / width] * width + at % width] = value;
    ++at;
  }
}

// Before the total is journalled, and so before any peer sees it.
void Hub::check_rows(std::size_t seat, const Exchange& exchange) const {
  if (!exchange.check) return;
  const std::size_t width = exchange.values.size() / clients_;
  for (const ClientId id : seats_[seat].hosted)
    if (const auto fault = exchange.check(std::span(exchange.values).subspan(id * width, width)))
      throw Refused{ExitCode::connection,
                    {.what = "the site shared numbers that make no sense",
                     .seen = "site '" + seats_[seat].site + "', exchange " + std::to_string(exchange.id) + ", client " +
                             std::to_string(id) + ": " + *fault,
                     .advice = "use the same program at the server and at all sites"}};
}

// Pieces come in order from every site, so they become ready in order.
void Hub::merge_ready(Exchange& exchange) {
  const Pieces pieces = exchange.pieces();
  while (exchange.ready < pieces.count()) {
    for (std::size_t s = 0; s < seats_.size(); ++s)
      if (wanted(exchange, s) && exchange.given[s] <= exchange.ready) return;
    const std::size_t size = pieces.size(exchange.ready);
    std::vector<Node> nodes;
    for (const auto& [seat, rows] : exchange.arrived[exchange.ready])
      for (std::size_t k = 0; k < exchange.covers[seat].size(); ++k)
        nodes.push_back({exchange.covers[seat][k], std::span(rows).subspan(k * size, size)});
    std::ranges::sort(nodes, {}, [](const Node& node) { return node.clients.first; });
    const std::span<double> out = std::span(exchange.values).subspan(pieces.first(exchange.ready), size);
    if (!adder_.add_nodes({0, clients_}, nodes, out)) std::ranges::fill(out, 0.0);
    for (const auto& [seat, rows] : exchange.arrived[exchange.ready]) rows_held_ -= rows.size();
    exchange.arrived.erase(exchange.ready);
    ++exchange.ready;
  }
}

void Hub::finish_if_complete(Exchange& exchange) {
  if (exchange.done) return;
  for (std::size_t s = 0; s < seats_.size(); ++s)
    if (wanted(exchange, s)) return;
  if (exchange.is_sum) merge_ready(exchange);
  exchange.agreement = {.signal = signal_, .absent = absent_};
  journal_.append(exchange.values, exchange.agreement);
  exchange.history = journal_.history();
  exchange.ready = exchange.pieces().count();
  exchange.done = true;
}

}  // namespace driftless
