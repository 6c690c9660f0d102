#include "driftless/network/hub/hub.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/interruption.hpp"

#include <algorithm>

namespace driftless {

using detail::hub_poll_interval;
using detail::seconds_since;
using detail::totals_are_removed;

Hub::Hub(std::size_t clients, std::vector<SiteSlot> slots, Journal& journal, HubOptions options)
    : clients_(clients),
      slots_(std::move(slots)),
      options_(std::move(options)),
      journal_(journal),
      first_live_(journal.next()),
      sites_(slots_.size()),
      absent_(journal.last_agreement().absent) {
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    sites_[s].lost = std::ranges::binary_search(absent_, slots_[s].hosted.front());
    if (!sites_[s].lost && std::ranges::count(options_.dropped, slots_[s].site) > 0) {
      sites_[s].lost = true;
      absent_.insert(absent_.end(), slots_[s].hosted.begin(), slots_[s].hosted.end());
      std::ranges::sort(absent_);
    }
    sites_[s].finished = std::ranges::count(options_.finished, slots_[s].site) > 0;
  }
}

Hub::~Hub() = default;

void Hub::report(HubEvent::Kind kind, std::size_t slot, const std::string& text) const {
  if (options_.on_event)
    options_.on_event({.kind = kind, .site = slots_[slot].site, .text = "site '" + slots_[slot].site + "' " + text});
}

void Hub::throw_if_ended() const {
  if (ended_) throw Error(ended_->kind(), ended_->info());
}

std::optional<Agreement> Hub::from_journal(ExchangeId id, std::span<double> result) {
  const Lock lock(mutex_);
  throw_if_ended();
  if (id >= journal_.next()) return std::nullopt;
  if (!journal_.has(id)) {
    const Rejection rejection = totals_are_removed("the server", id);
    throw Error(rejection.kind(), rejection.info());
  }
  const Total total = journal_.read(id);
  if (abandons_round(total.agreement.signal)) return total.agreement;
  if (total.values.size() != result.size())
    throw DataError({.what = "the journal is not that of this run",
                     .seen = "total " + std::to_string(id) + " has " + std::to_string(total.values.size()) +
                             " entries, expected " + std::to_string(result.size()),
                     .advice = "start a new run in another folder"});
  std::ranges::copy(total.values, result.begin());
  return without_old_interruption(id, total.agreement);
}

// An interruption that ended an earlier process of the server is over: a site that was disconnected then and receives
// the total now must not stop because of it.
Agreement Hub::without_old_interruption(ExchangeId id, Agreement agreement) const {
  const bool interruption = agreement.signal == StopSignal::interrupted || agreement.signal == StopSignal::terminated;
  if (id < first_live_ && interruption) agreement.signal = StopSignal::none;
  return agreement;
}

Agreement Hub::sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total) {
  if (auto known = from_journal(id, total)) return *known;
  begin_sum(id, from, total.size());
  return wait_for_total(total);
}

Agreement Hub::add_integers(ExchangeId id, std::span<double> total) {
  if (auto known = from_journal(id, total)) return *known;
  begin_integers(id, total.size());
  return wait_for_total(total);
}

Agreement Hub::share(ExchangeId id, std::size_t width, std::span<double> all, const RowCheck& check) {
  if (auto known = from_journal(id, all)) return *known;
  begin_share(id, width, check);
  return wait_for_total(all);
}

void Hub::begin_sum(ExchangeId id, std::span<const ClientId> from, std::size_t width) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->values.resize(width);
  for (const SiteSlot& slot : slots_) {
    exchange->covers.push_back(cover(clients_, from, slot.hosted));
    exchange->contributions.push_back({exchange->covers.back().empty() ? 0 : width});
  }
  begin(std::move(exchange));
}

// Every site sends one row, whichever clients it hosts: integers need no tree.
void Hub::begin_integers(ExchangeId id, std::size_t width) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->addition = Addition::modular;
  exchange->values.resize(width);
  for (const SiteSlot& slot : slots_) {
    exchange->covers.push_back({{.first = slot.hosted.front(), .last = slot.hosted.back() + 1}});
    exchange->contributions.push_back({width});
  }
  begin(std::move(exchange));
}

void Hub::begin_share(ExchangeId id, std::size_t width, const RowCheck& check) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->is_sum = false;
  exchange->check = check;
  exchange->values.resize(clients_ * width);
  for (const SiteSlot& slot : slots_) exchange->contributions.push_back({slot.hosted.size() * width});
  begin(std::move(exchange));
}

void Hub::begin(std::shared_ptr<Exchange> exchange) {
  const Lock lock(mutex_);
  throw_if_ended();
  DRIFTLESS_ASSERT(exchange->id == journal_.next(), "the server left out an exchange");
  exchange->received.assign(slots_.size(), 0);
  if (unmasks(*exchange)) exchange->attempt = first_attempt();
  live_ = std::move(exchange);
  check_round();
  finish_if_complete(*live_);
  changed_.notify_all();
}

bool Hub::is_complete() {
  const Lock lock(mutex_);
  return check_live();
}

bool Hub::check_live() {
  if (live_->done) return true;
  check_losses();
  throw_if_ended();
  check_round();
  return live_->done;
}

// The sites learn of a stop with the total of the exchange under way, if it is complete soon. If not, a site is in long
// local work, and the run ends at once. After the agreement every exchange that ends the run has the same time.
void Hub::check_stop() {
  const StopSignal signal = options_.stop_token.signal();
  const std::optional<ErrorKind> failure = failure_of(signal);
  if (!failure) return;
  if (!stop_seen_) stop_seen_ = Clock::now();
  signal_ = signal;
  const Clock::time_point since = stop_agreed_ ? std::max(live_->opened, *stop_seen_) : *stop_seen_;
  if (seconds_since(since) < options_.stop_patience) return;
  end_locked(*failure, stopped_in_a_round("the server"));
  throw_if_ended();
}

void Hub::throw_if_over() {
  const Lock lock(mutex_);
  check_stop();
  throw_if_ended();
}

Agreement Hub::wait_for_total(std::span<double> result) {
  Lock lock(mutex_);
  while (!check_live()) {
    check_stop();
    changed_.wait_for(lock, hub_poll_interval);
  }
  if (abandons_round(live_->agreement.signal)) return live_->agreement;
  std::ranges::copy(live_->values, result.begin());
  return live_->agreement;
}

bool Hub::owes_rows(const Exchange& exchange, std::size_t slot) const {
  return !sites_[slot].lost && exchange.received[slot] < exchange.contributions[slot].count();
}

bool Hub::is_awaited(const Exchange& exchange, std::size_t slot) const {
  if (owes_rows(exchange, slot)) return true;
  if (!exchange.unmasking || sites_[slot].lost) return false;
  const auto answered = exchange.unmasking->answered.find(slot);
  return answered == exchange.unmasking->answered.end() || answered->second < exchange.unmasking->question;
}

// Whether the other sites wait for this one. A site that is ahead of the slowest may not send more.
bool Hub::delays_others(const Exchange& exchange, std::size_t slot) const {
  return is_awaited(exchange, slot) &&
         (!exchange.is_sum || exchange.unmasking || exchange.received[slot] <= exchange.ready);
}

void Hub::broadcast(StopSignal signal) {
  const Lock lock(mutex_);
  signal_ = signal;
}

void Hub::on_checkpoint(ExchangeId next) {
  const Lock lock(mutex_);
  own_checkpoint_ = next;
  remove_unneeded_totals();
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
  ends_process_ = true;
}

void Hub::remove_unneeded_totals() {
  ExchangeId needed = own_checkpoint_;
  for (const Site& state : sites_)
    if (!state.lost && !state.finished) needed = std::min(needed, state.checkpoint);
  journal_.remove_before(needed);
}

void Hub::end(ErrorKind kind, ErrorInfo reason) noexcept {
  const Lock lock(mutex_);
  end_locked(kind, std::move(reason));
}

void Hub::end_locked(ErrorKind kind, ErrorInfo reason) {
  if (!ended_) {
    if (options_.on_event) options_.on_event({.kind = HubEvent::Kind::ended, .site = {}, .text = reason.what});
    ended_ = Rejection(kind, std::move(reason));
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

std::optional<Rejection> Hub::ended() const {
  const Lock lock(mutex_);
  return ended_;
}

std::optional<Position> Hub::position_before(ExchangeId id) const {
  const Lock lock(mutex_);
  return journal_.position_before(id);
}

void Hub::accept(std::size_t slot, Exchange& exchange, std::size_t index, std::vector<double> values) {
  if (exchange.is_sum) {
    exchange.received[slot] = index + 1;
    rows_held_ += values.size();
    most_rows_held_ = std::max(most_rows_held_, rows_held_);
    exchange.arrived[index].emplace_back(slot, std::move(values));
    merge_ready(exchange);
  } else {
    store_shared_rows(slot, exchange, index, values);
    if (index + 1 == exchange.contributions[slot].count()) check_shared_rows(slot, exchange);
    exchange.received[slot] = index + 1;
  }
  judge_out_of_range(exchange);
  finish_if_complete(exchange);
  changed_.notify_all();
}

// The rows of a site arrive as one sequence; each value goes to the row of its client.
void Hub::store_shared_rows(std::size_t slot, Exchange& exchange, std::size_t index, std::span<const double> values) {
  const std::size_t width = exchange.values.size() / clients_;
  std::size_t at = exchange.contributions[slot].first(index);
  for (const double value : values) {
    exchange.values[slots_[slot].hosted[at / width] * width + at % width] = value;
    ++at;
  }
}

// Called before the total is written to the journal, and so before any peer receives it.
void Hub::check_shared_rows(std::size_t slot, const Exchange& exchange) const {
  if (!exchange.check) return;
  const std::size_t width = exchange.values.size() / clients_;
  for (const ClientId id : slots_[slot].hosted)
    if (const auto fault = exchange.check(std::span(exchange.values).subspan(id * width, width)))
      throw Rejection{ErrorKind::communication,
                      {.what = "the site shared invalid numbers",
                       .seen = "site '" + slots_[slot].site + "', exchange " + std::to_string(exchange.id) +
                               ", client " + std::to_string(id) + ": " + *fault,
                       .advice = "use the same program at the server and at all sites"}};
}

// Every site sends its chunks in order, so they become ready in order.
void Hub::merge_ready(Exchange& exchange) {
  const Chunks chunks = exchange.chunks();
  while (exchange.ready < chunks.count()) {
    for (std::size_t s = 0; s < slots_.size(); ++s)
      if (owes_rows(exchange, s) && exchange.received[s] <= exchange.ready) return;
    const std::size_t size = chunks.size(exchange.ready);
    std::vector<Node> nodes;
    for (const auto& [slot, rows] : exchange.arrived[exchange.ready])
      for (std::size_t k = 0; k < exchange.covers[slot].size(); ++k)
        nodes.push_back({exchange.covers[slot][k], std::span(rows).subspan(k * size, size)});
    std::ranges::sort(nodes, {}, [](const Node& node) { return node.clients.first; });
    const std::span<double> out = std::span(exchange.values).subspan(chunks.first(exchange.ready), size);
    if (!adder_.add_nodes({0, clients_}, nodes, out, exchange.addition)) std::ranges::fill(out, 0.0);
    for (const auto& [slot, rows] : exchange.arrived[exchange.ready]) rows_held_ -= rows.size();
    exchange.arrived.erase(exchange.ready);
    ++exchange.ready;
  }
}

void Hub::finish_if_complete(Exchange& exchange) {
  if (exchange.done) return;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (owes_rows(exchange, s)) return;
  if (exchange.is_sum) merge_ready(exchange);
  if (unmasks(exchange) && !unmask(exchange)) return;
  exchange.agreement = {.signal = signal_, .absent = exchange.unmasking ? exchange.unmasking->absent : absent_};
  stop_agreed_ = failure_of(signal_).has_value();
  journal_.append(exchange.values, exchange.agreement);
  exchange.history = journal_.history();
  exchange.ready = exchange.chunks().count();
  exchange.done = true;
}

}  // namespace driftless
