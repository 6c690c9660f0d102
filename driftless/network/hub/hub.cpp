#include "driftless/network/hub/hub.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>

namespace driftless {

using detail::forgotten;
using detail::hub_poll_interval;
using detail::seconds_since;

Hub::Hub(std::size_t clients, std::vector<Site> sites, Journal& journal, HubOptions options)
    : clients_(clients),
      sites_(std::move(sites)),
      options_(std::move(options)),
      journal_(journal),
      first_live_(journal.next()),
      states_(sites_.size()),
      absent_(journal.last_agreement().absent) {
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    states_[s].lost = std::ranges::binary_search(absent_, sites_[s].hosted.front());
    states_[s].finished = std::ranges::count(options_.finished, sites_[s].name) > 0;
  }
}

Hub::~Hub() = default;

void Hub::tell(HubEvent::Kind kind, std::size_t site, const std::string& text) const {
  if (options_.on_event)
    options_.on_event({.kind = kind, .site = sites_[site].name, .text = "site '" + sites_[site].name + "' " + text});
}

void Hub::throw_if_ended() const {
  if (ended_) throw Error(ended_->kind(), ended_->info());
}

std::optional<Agreement> Hub::from_journal(ExchangeId id, std::span<double> result) {
  const Lock lock(mutex_);
  throw_if_ended();
  if (id >= journal_.next()) return std::nullopt;
  if (!journal_.has(id)) {
    const Rejection rejection = forgotten("the server", id);
    throw Error(rejection.kind(), rejection.info());
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
  for (const Site& site : sites_) {
    exchange->covers.push_back(cover(clients_, from, site.hosted));
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
  for (const Site& site : sites_) exchange->given_in.push_back({site.hosted.size() * width});
  begin(std::move(exchange));
}

void Hub::begin(std::shared_ptr<Exchange> exchange) {
  const Lock lock(mutex_);
  throw_if_ended();
  DRIFTLESS_ASSERT(exchange->id == journal_.next(), "the server left out an exchange");
  exchange->given.assign(sites_.size(), 0);
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
  while (!look_after_live()) changed_.wait_for(lock, hub_poll_interval);
  std::ranges::copy(live_->values, result.begin());
  return live_->agreement;
}

bool Hub::wanted(const Exchange& exchange, std::size_t site) const {
  return !states_[site].lost && exchange.given[site] < exchange.given_in[site].count();
}

// Whether the others wait for this site. One that is ahead of the slowest may not send more, and is not to blame.
bool Hub::delays(const Exchange& exchange, std::size_t site) const {
  return wanted(exchange, site) && (!exchange.is_sum || exchange.given[site] <= exchange.ready);
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
  for (const SiteState& site_state : states_)
    if (!site_state.lost && !site_state.finished) needed = std::min(needed, site_state.saved);
  journal_.forget_before(needed);
}

void Hub::end(ErrorKind kind, ErrorInfo reason) noexcept {
  const Lock lock(mutex_);
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

std::optional<Position> Hub::position_before(ExchangeId id) const {
  const Lock lock(mutex_);
  return journal_.position_before(id);
}

void Hub::accept(std::size_t site, Exchange& exchange, std::size_t index, std::vector<double> values) {
  if (exchange.is_sum) {
    exchange.given[site] = index + 1;
    rows_held_ += values.size();
    most_rows_held_ = std::max(most_rows_held_, rows_held_);
    exchange.arrived[index].emplace_back(site, std::move(values));
    merge_ready(exchange);
  } else {
    add_rows(site, exchange, index, values);
    if (index + 1 == exchange.given_in[site].count()) check_rows(site, exchange);
    exchange.given[site] = index + 1;
  }
  judge_outside(exchange);
  finish_if_complete(exchange);
  changed_.notify_all();
}

// The rows of a site arrive as one sequence; each belongs to the row of its client.
void Hub::add_rows(std::size_t site, Exchange& exchange, std::size_t index, std::span<const double> values) {
  const std::size_t width = exchange.values.size() / clients_;
  std::size_t at = exchange.given_in[site].first(index);
  for (const double value : values) {
    exchange.values[sites_[site].hosted[at / width] * width + at % width] = value;
    ++at;
  }
}

// Before the total is journalled, and so before any peer sees it.
void Hub::check_rows(std::size_t site, const Exchange& exchange) const {
  if (!exchange.check) return;
  const std::size_t width = exchange.values.size() / clients_;
  for (const ClientId id : sites_[site].hosted)
    if (const auto fault = exchange.check(std::span(exchange.values).subspan(id * width, width)))
      throw Rejection{ErrorKind::communication,
                      {.what = "the site shared numbers that make no sense",
                       .seen = "site '" + sites_[site].name + "', exchange " + std::to_string(exchange.id) +
                               ", client " + std::to_string(id) + ": " + *fault,
                       .advice = "use the same program at the server and at all sites"}};
}

// Pieces come in order from every site, so they become ready in order.
void Hub::merge_ready(Exchange& exchange) {
  const Pieces pieces = exchange.pieces();
  while (exchange.ready < pieces.count()) {
    for (std::size_t s = 0; s < sites_.size(); ++s)
      if (wanted(exchange, s) && exchange.given[s] <= exchange.ready) return;
    const std::size_t size = pieces.size(exchange.ready);
    std::vector<Node> nodes;
    for (const auto& [site, rows] : exchange.arrived[exchange.ready])
      for (std::size_t k = 0; k < exchange.covers[site].size(); ++k)
        nodes.push_back({exchange.covers[site][k], std::span(rows).subspan(k * size, size)});
    std::ranges::sort(nodes, {}, [](const Node& node) { return node.clients.first; });
    const std::span<double> out = std::span(exchange.values).subspan(pieces.first(exchange.ready), size);
    if (!adder_.add_nodes({0, clients_}, nodes, out)) std::ranges::fill(out, 0.0);
    for (const auto& [site, rows] : exchange.arrived[exchange.ready]) rows_held_ -= rows.size();
    exchange.arrived.erase(exchange.ready);
    ++exchange.ready;
  }
}

void Hub::finish_if_complete(Exchange& exchange) {
  if (exchange.done) return;
  for (std::size_t s = 0; s < sites_.size(); ++s)
    if (wanted(exchange, s)) return;
  if (exchange.is_sum) merge_ready(exchange);
  exchange.agreement = {.signal = signal_, .absent = absent_};
  journal_.append(exchange.values, exchange.agreement);
  exchange.history = journal_.history();
  exchange.ready = exchange.pieces().count();
  exchange.done = true;
}

}  // namespace driftless
