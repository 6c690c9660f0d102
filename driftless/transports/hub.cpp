#include "driftless/core/check.hpp"
#include "driftless/transports/hub_state.hpp"

#include <algorithm>

namespace driftless {

using detail::forgotten;
using detail::look_around;

Hub::Hub(std::size_t clients, std::vector<Seat> seats, Journal& journal, HubOptions options)
    : clients_(clients),
      seats_(std::move(seats)),
      options_(std::move(options)),
      journal_(journal),
      places_(seats_.size()),
      absent_(journal.last_news().absent) {
  for (std::size_t s = 0; s < seats_.size(); ++s)
    places_[s].lost = std::ranges::binary_search(absent_, seats_[s].hosted.front());
}

Hub::~Hub() = default;

void Hub::tell(const std::string& event) const {
  if (options_.on_event) options_.on_event(event);
}

void Hub::throw_if_ended() const {
  if (ended_) throw Error(ended_->code, ended_->trouble);
}

std::optional<News> Hub::from_journal(ExchangeId id, std::span<double> result) {
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
                     .advice = "start the run anew in another folder"});
  std::ranges::copy(total.values, result.begin());
  return total.news;
}

News Hub::sum(ExchangeId id, std::span<const ClientId> from, std::span<double> total) {
  if (auto known = from_journal(id, total)) return *known;
  begin_sum(id, from, total.size());
  return meet(total);
}

News Hub::share(ExchangeId id, std::size_t width, std::span<double> all) {
  if (auto known = from_journal(id, all)) return *known;
  begin_share(id, width);
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

void Hub::begin_share(ExchangeId id, std::size_t width) {
  auto exchange = std::make_shared<Exchange>();
  exchange->id = id;
  exchange->is_sum = false;
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

News Hub::meet(std::span<double> result) {
  Lock lock(mutex_);
  while (!look_after_live()) changed_.wait_for(lock, look_around);
  std::ranges::copy(live_->values, result.begin());
  return live_->news;
}

bool Hub::wanted(const Exchange& exchange, std::size_t seat) const {
  return !places_[seat].lost && exchange.given[seat] < exchange.given_in[seat].count();
}

void Hub::say(std::uint32_t word) {
  const Lock lock(mutex_);
  word_ = word;
}

void Hub::saved(ExchangeId next) {
  const Lock lock(mutex_);
  own_saved_ = next;
  forget();
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
  if (!ended_) ended_ = Refused{code, std::move(reason)};
  changed_.notify_all();
}

std::size_t Hub::most_rows_held() const {
  const Lock lock(mutex_);
  return most_rows_held_;
}

void Hub::accept(std::size_t seat, Exchange& exchange, std::size_t index, std::vector<double> values) {
  exchange.given[seat] = index + 1;
  if (exchange.is_sum) {
    rows_held_ += values.size();
    most_rows_held_ = std::max(most_rows_held_, rows_held_);
    exchange.arrived[index].emplace_back(seat, std::move(values));
    merge_ready(exchange);
  } else {
    // The rows of a seat stand together, and clients rise: place them one by one.
    const std::size_t width = exchange.values.size() / clients_;
    std::size_t at = exchange.given_in[seat].first(index);
    for (const double value : values) {
      exchange.values[seats_[seat].hosted[at / width] * width + at % width] = value;
      ++at;
    }
  }
  finish_if_complete(exchange);
  changed_.notify_all();
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
  exchange.news = {.word = word_, .absent = absent_};
  journal_.append({exchange.values, exchange.news});
  exchange.ready = exchange.pieces().count();
  exchange.done = true;
}

std::vector<ClientId> Hub::absent_before(ExchangeId id) const {
  const Lock lock(mutex_);
  return absent_at(id);
}

std::vector<ClientId> Hub::absent_at(ExchangeId id) const {
  if (id == 0) return {};
  return journal_.has(id - 1) ? journal_.read(id - 1).news.absent : journal_.last_news().absent;
}

}  // namespace driftless
