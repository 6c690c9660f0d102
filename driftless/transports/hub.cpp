#include "driftless/transports/hub.hpp"

#include "driftless/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace driftless {
namespace {

// Pieces that a site may be ahead of the slowest one.
constexpr std::size_t window = 2;
constexpr auto look_around = std::chrono::milliseconds(100);
constexpr double late = 5.0;  // seconds after which a site is called late

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

// A whole journal would grow without end, so it keeps what those need who have saved their state.
Refused forgotten(const std::string& who, ExchangeId id) {
  return {ExitCode::data,
          {.what = "a saved state is lost, and the totals that could replace it are no longer kept",
           .seen = who + " needs exchange " + std::to_string(id),
           .advice = "restore the folder that " + who + " used, or start the run anew"}};
}

std::string in_seconds(double seconds) { return number(std::round(10.0 * seconds) / 10.0) + " s"; }

}  // namespace

// A collective that goes on, or whose total is being handed out.
struct Hub::Exchange {
  ExchangeId id = 0;
  bool is_sum = true;
  std::vector<double> values = {};                  // becomes the total
  std::vector<std::vector<TreeRange>> covers = {};  // nodes that each seat sends; for a sum
  std::vector<Pieces> given_in = {};                // how each seat's contribution is cut; width 0: it sends nothing
  std::vector<std::size_t> given = {};              // pieces that each seat has sent
  std::map<std::size_t, std::vector<std::pair<std::size_t, std::vector<double>>>> arrived = {};  // piece → seat, rows
  std::size_t ready = 0;  // pieces of the total that may be handed out
  std::uint32_t attempt = 0;
  bool done = false;
  News news = {};
  Clock::time_point opened = Clock::now();
  bool called_late = false;

  Pieces pieces() const { return {values.size()}; }
};

// What is known about a site.
struct Hub::Place {
  Line* line = nullptr;  // its connection, while it is here
  bool came = false;
  bool finished = false;
  bool lost = false;
  std::optional<Trouble> misbehaved;
  ExchangeId saved = 0;
  Clock::time_point since = Clock::now();  // here or away
};

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

void Hub::wait_for_sites(double seconds, const std::function<bool()>& tired) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto missing = [&] {
    return std::ranges::count_if(places_, [](const Place& p) { return !p.lost && p.line == nullptr; });
  };
  while (missing() > 0 && !(tired && tired())) {
    throw_if_ended();
    if (seconds_since(start) > seconds) {
      for (std::size_t s = 0; s < seats_.size(); ++s)
        if (!places_[s].lost && places_[s].line == nullptr)
          lose(s, ExitCode::deadline, "did not join within " + in_seconds(seconds));
      throw_if_ended();
      return;
    }
    changed_.wait_for(lock, look_around);
  }
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

void Hub::let_finish(double seconds) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto waiting = [&] {
    return std::ranges::any_of(places_, [](const Place& p) { return !p.lost && !p.finished; });
  };
  while (waiting() && seconds_since(start) <= seconds) changed_.wait_for(lock, look_around);
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

std::string Hub::who_is_missing(const Exchange& exchange) const {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < seats_.size(); ++s)
    if (wanted(exchange, s)) names.push_back(seats_[s].site + (places_[s].line == nullptr ? " (away)" : ""));
  return join(names);
}

void Hub::check_losses() {
  Exchange& exchange = *live_;
  for (std::size_t s = 0; s < seats_.size() && !exchange.done; ++s) {
    const Place& place = places_[s];
    if (!wanted(exchange, s)) continue;
    const double waited = std::min(seconds_since(exchange.opened), seconds_since(place.since));
    if (place.misbehaved)
      lose(s, ExitCode::connection, "was cut off: " + place.misbehaved->what + " (" + place.misbehaved->seen + ")");
    else if (place.line == nullptr && seconds_since(place.since) > options_.grace)
      lose(s, ExitCode::deadline, "has been away for more than " + in_seconds(options_.grace));
    else if (place.line != nullptr && waited > options_.deadline)
      lose(s, ExitCode::deadline, "has kept the others waiting for more than " + in_seconds(options_.deadline));
  }
  if (!exchange.done && !exchange.called_late && seconds_since(exchange.opened) > late) {
    exchange.called_late = true;
    tell("waiting for " + who_is_missing(exchange));
  }
}

void Hub::lose(std::size_t seat, ExitCode code, const std::string& why) {
  Place& place = places_[seat];
  const std::string event = "site '" + seats_[seat].site + "' " + why;
  if (options_.on_loss == OnLoss::abort) {
    ended_ = Refused{code,
                     {.what = "a site was lost, and the run ends",
                      .seen = event,
                      .advice = "start the server and the sites again: the run continues where it was; or set "
                                "network.on_loss = \"drop\" to go on without a lost site"}};
    changed_.notify_all();
    return;
  }
  tell(event + "; the run goes on without it");
  place.lost = true;
  if (place.line != nullptr) place.line->closed_ = true;
  absent_.insert(absent_.end(), seats_[seat].hosted.begin(), seats_[seat].hosted.end());
  std::ranges::sort(absent_);
  require_quorum();
  if (live_ && !live_->done) {  // others must send again: parts of sums may hold what it sent
    ++live_->attempt;
    live_->given.assign(seats_.size(), 0);
    live_->arrived.clear();
    live_->ready = 0;
    live_->opened = Clock::now();
    rows_held_ = 0;
    if (!live_->is_sum) std::ranges::fill(live_->values, 0.0);
    finish_if_complete(*live_);
  }
  changed_.notify_all();
}

void Hub::require_quorum() {
  const auto left = static_cast<std::size_t>(std::ranges::count_if(places_, [](const Place& p) { return !p.lost; }));
  if (left >= options_.quorum && left > 0) return;
  ended_ = Refused{ExitCode::run_failed,
                   {.what = "too few sites are left",
                    .seen = std::to_string(left) + " of " + std::to_string(seats_.size()) +
                            ", network.quorum = " + std::to_string(options_.quorum),
                    .advice = "see why the others were lost, and start the run again"}};
}

std::vector<ClientId> Hub::absent_before(ExchangeId id) const {
  const Lock lock(mutex_);
  return absent_at(id);
}

std::vector<ClientId> Hub::absent_at(ExchangeId id) const {
  if (id == 0) return {};
  return journal_.has(id - 1) ? journal_.read(id - 1).news.absent : journal_.last_news().absent;
}

std::unique_ptr<Hub::Line> Hub::enter(std::size_t seat, ExchangeId next) {
  const Lock lock(mutex_);
  Place& place = places_[seat];
  const std::string& site = seats_[seat].site;
  if (ended_) throw *ended_;
  if (place.misbehaved) throw Refused{ExitCode::connection, *place.misbehaved};
  if (place.lost)
    throw Refused{ExitCode::connection,
                  {.what = "the run goes on without this site",
                   .seen = "site '" + site + "' was given up",
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
                   .advice = "start the server with the folder it used before"}};
  if (next < journal_.next() && !journal_.has(next)) throw forgotten("site '" + site + "'", next);
  std::unique_ptr<Line> line(new Line(*this, seat, next));
  line->live_ = journal_.next();
  line->absent_ = absent_at(next);
  place.line = line.get();
  place.since = Clock::now();
  if (live_ && !live_->done) {  // it sends its rows again
    live_->given[seat] = 0;
    for (auto& [index, rows] : live_->arrived)
      std::erase_if(rows, [&](const auto& row) {
        if (row.first == seat) rows_held_ -= row.second.size();
        return row.first == seat;
      });
  }
  tell("site '" + site + "' " + (place.came ? "is back" : "joined"));
  place.came = true;
  changed_.notify_all();
  return line;
}

Hub::Line::Line(Hub& hub, std::size_t seat, ExchangeId next) : hub_(hub), seat_(seat), live_(next), cursor_(next) {}

Hub::Line::~Line() {
  const Lock lock(hub_.mutex_);
  Place& place = hub_.places_[seat_];
  place.line = nullptr;
  place.since = Clock::now();
  if (!place.finished && !place.lost && !hub_.ended_) hub_.tell("site '" + hub_.seats_[seat_].site + "' left");
  hub_.changed_.notify_all();
}

void Hub::Line::close() {
  const Lock lock(hub_.mutex_);
  closed_ = true;
  hub_.changed_.notify_all();
}

void Hub::Line::refuse(Trouble trouble) {
  const Lock lock(hub_.mutex_);
  hub_.tell("site '" + hub_.seats_[seat_].site + "' is cut off: " + trouble.what);
  hub_.places_[seat_].misbehaved = std::move(trouble);
  hub_.changed_.notify_all();
}

void Hub::Line::saved(ExchangeId next) {
  const Lock lock(hub_.mutex_);
  hub_.places_[seat_].saved = std::min(next, hub_.journal_.next());
  hub_.forget();
}

void Hub::Line::finished() {
  const Lock lock(hub_.mutex_);
  hub_.places_[seat_].finished = true;
  hub_.changed_.notify_all();
}

Hub::Outgoing Hub::Line::next() {
  Lock lock(hub_.mutex_);
  const Place& place = hub_.places_[seat_];
  while (true) {
    if (refusal_sent_ || (closed_ && !place.misbehaved)) return {.kind = Outgoing::Kind::closed};
    if (place.misbehaved || (hub_.ended_ && cursor_ >= hub_.journal_.next())) {
      refusal_sent_ = true;
      return {.kind = Outgoing::Kind::refusal,
              .refused = place.misbehaved ? Refused{ExitCode::connection, *place.misbehaved} : *hub_.ended_};
    }
    if (!current_ || current_->id != cursor_) {
      current_.reset();
      sent_ = 0;
      attempt_ = 0;
      if (hub_.live_ && hub_.live_->id == cursor_) current_ = hub_.live_;
      else if (cursor_ < hub_.journal_.next() && !hub_.journal_.has(cursor_)) {
        refusal_sent_ = true;
        return {.kind = Outgoing::Kind::refusal,
                .refused = forgotten("site '" + hub_.seats_[seat_].site + "'", cursor_)};
      } else if (cursor_ < hub_.journal_.next()) {
        auto past = std::make_shared<Exchange>();
        Total total = hub_.journal_.read(cursor_);
        past->id = cursor_;
        past->values = std::move(total.values);
        past->news = std::move(total.news);
        past->ready = past->pieces().count();
        past->done = true;
        current_ = std::move(past);
      }
    }
    if (current_) {
      if (attempt_ != current_->attempt) {
        attempt_ = current_->attempt;
        sent_ = 0;
        return {.kind = Outgoing::Kind::again, .exchange = cursor_, .attempt = attempt_};
      }
      if (sent_ < current_->ready) {
        const Pieces pieces = current_->pieces();
        const std::size_t index = sent_++;
        return {.kind = Outgoing::Kind::piece,
                .exchange = cursor_,
                .attempt = attempt_,
                .index = index,
                .values = std::span(current_->values).subspan(pieces.first(index), pieces.size(index)),
                .holds = current_};
      }
      if (current_->done) {
        Outgoing done{.kind = Outgoing::Kind::done, .exchange = cursor_, .attempt = attempt_, .news = current_->news};
        ++cursor_;
        return done;
      }
    }
    hub_.changed_.wait(lock);
  }
}

void Hub::Line::rows(ExchangeId id, std::uint32_t attempt, std::size_t index, std::vector<double> values) {
  Lock lock(hub_.mutex_);
  const std::string exchange_name = "exchange " + std::to_string(id);
  if (id < hub_.journal_.next()) return;  // over: the site will get the total
  if (id > hub_.journal_.next())
    throw Refused{ExitCode::connection,
                  {.what = "the site sent rows of an exchange that nobody is at",
                   .seen = exchange_name + ", the run is at " + std::to_string(hub_.journal_.next()),
                   .advice = "use the same program at the server and at all sites"}};
  hub_.changed_.wait(lock, [&] { return closed_ || hub_.ended_ || (hub_.live_ && hub_.live_->id >= id); });
  if (closed_ || hub_.ended_ || hub_.live_->id > id) return;
  const std::shared_ptr<Exchange> exchange = hub_.live_;
  if (attempt != exchange->attempt || exchange->done) return;

  const Pieces pieces = exchange->given_in[seat_];
  if (index != exchange->given[seat_] || index >= pieces.count())
    throw Refused{ExitCode::connection,
                  {.what = "the site sent a piece that was not its turn",
                   .seen = exchange_name + ", piece " + std::to_string(index) + ", expected " +
                           std::to_string(exchange->given[seat_]) + " of " + std::to_string(pieces.count()),
                   .advice = "use the same program at the server and at all sites"}};
  const std::size_t expected = pieces.size(index) * (exchange->is_sum ? exchange->covers[seat_].size() : 1);
  if (values.size() != expected)
    throw Refused{ExitCode::connection,
                  {.what = "the site sent rows of another size",
                   .seen = exchange_name + ", piece " + std::to_string(index) + ": " + std::to_string(values.size()) +
                           " numbers, expected " + std::to_string(expected),
                   .advice = "see that all sites have data of the same dimension"}};
  const auto bad = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
  if (bad != values.end())
    throw Refused{ExitCode::connection,
                  {.what = "the site sent a number that is not finite",
                   .seen = exchange_name + ", site '" + hub_.seats_[seat_].site + "', entry " +
                           std::to_string(pieces.first(index) +
                                          static_cast<std::size_t>(bad - values.begin()) % pieces.size(index)) +
                           ": " + number(*bad),
                   .advice = "see that its data are right; if the method diverges, use a smaller step"}};
  hub_.changed_.wait(lock, [&] {
    return closed_ || hub_.ended_ || attempt != exchange->attempt || exchange->done || !exchange->is_sum ||
           index < exchange->ready + window;
  });
  if (closed_ || hub_.ended_ || attempt != exchange->attempt || exchange->done) return;
  if (exchange->is_sum && index < exchange->ready) {  // it came back and repeats what was added before it left
    exchange->given[seat_] = index + 1;
    hub_.finish_if_complete(*exchange);
    hub_.changed_.notify_all();
    return;
  }
  hub_.accept(seat_, *exchange, index, std::move(values));
}

}  // namespace driftless
