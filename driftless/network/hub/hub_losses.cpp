// Which sites are waited for, for how long, and what happens to those that do not come or send what they must not.
#include "driftless/network/hub/hub_state.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

using detail::look_around;
using detail::seconds_since;

constexpr double late = 5.0;  // seconds after which a site is called late

std::string in_seconds(double seconds) { return number(std::round(10.0 * seconds) / 10.0) + " s"; }

}  // namespace

void Hub::wait_for_sites(double seconds, const std::function<bool()>& stop) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto missing = [&] {
    return std::ranges::count_if(places_, [](const Place& p) { return !p.lost && !p.finished && p.line == nullptr; });
  };
  while (missing() > 0 && !(stop && stop())) {
    for (std::size_t s = 0; s < seats_.size(); ++s)
      if (places_[s].misbehaved && !places_[s].lost) lose_misbehaved(s);
    throw_if_ended();
    if (seconds_since(start) > seconds) {
      for (std::size_t s = 0; s < seats_.size(); ++s)
        if (!places_[s].lost && !places_[s].finished && places_[s].line == nullptr)
          lose(s, ExitCode::deadline, "did not join within " + in_seconds(seconds));
      throw_if_ended();
      return;
    }
    changed_.wait_for(lock, look_around);
  }
}

void Hub::let_finish(double seconds, const std::function<bool()>& stop) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto waiting = [&] {
    return std::ranges::any_of(places_, [](const Place& p) { return !p.lost && !p.finished; });
  };
  while (waiting() && seconds_since(start) <= seconds && !(stop && stop())) changed_.wait_for(lock, look_around);
}

std::string Hub::missing_sites(const Exchange& exchange) const {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < seats_.size(); ++s)
    if (delays(exchange, s)) names.push_back(seats_[s].site + (places_[s].line == nullptr ? " (away)" : ""));
  return join(names);
}

void Hub::check_losses() {
  const auto patience = [&](const Place& place) {
    return place.came ? options_.grace : std::max(options_.grace, options_.first_wait);
  };
  for (std::size_t s = 0; s < seats_.size() && !live_->done; ++s) {
    const std::shared_ptr<const Exchange> under_way = live_;  // a loss replaces it
    const Exchange& exchange = *under_way;
    const Place& place = places_[s];
    if (!wanted(exchange, s)) continue;
    const double waited = std::min(seconds_since(exchange.opened), seconds_since(place.since));
    if (place.misbehaved) lose_misbehaved(s);
    else if (place.finished)
      lose(s, ExitCode::data, "has left the run, but exchange " + std::to_string(exchange.id) + " needs its rows");
    else if (place.line == nullptr && seconds_since(place.since) > patience(place))
      lose(s, ExitCode::deadline, "has been away for more than " + in_seconds(patience(place)));
    else if (place.line != nullptr && waited > options_.deadline && delays(exchange, s))
      lose(s, ExitCode::deadline, "has kept the others waiting for more than " + in_seconds(options_.deadline));
  }
  if (!live_->done && !live_->called_late && seconds_since(live_->opened) > late) {
    live_->called_late = true;
    if (options_.on_event)
      options_.on_event({.kind = HubEvent::Kind::late, .site = {}, .text = "waiting for " + missing_sites(*live_)});
  }
}

// A site whose numbers are out of range misbehaves, unless most sites are in the same position: then the method
// diverges, or one site with large numbers has made the arithmetic of the others overflow. Who that is the server
// cannot know, so nobody is dropped for it; the message says who sent suspicious numbers first.
void Hub::judge_outside(Exchange& exchange) {
  if (exchange.outside.empty() || exchange.done || ended_) return;
  std::size_t first_piece = exchange.pieces().count();
  for (const auto& [seat, where] : exchange.outside) first_piece = std::min(first_piece, exchange.given[seat]);
  std::size_t taking_part = 0;
  for (std::size_t s = 0; s < seats_.size(); ++s) {
    if (places_[s].lost) continue;
    ++taking_part;
    const bool known = exchange.outside.contains(s) || !wanted(exchange, s) || exchange.given[s] > first_piece;
    if (!known && !places_[s].misbehaved) return;  // its rows will tell
  }
  if (2 * exchange.outside.size() < taking_part) {
    for (const auto& [seat, where] : exchange.outside) {
      places_[seat].misbehaved =
          Trouble{.what = "the site sent a number that is not finite or too large",
                  .seen = where,
                  .advice = "see that its data are right; if the method diverges, use a smaller step"};
      tell(HubEvent::Kind::rejected, seat, "sent a number that is not finite or too large: " + where);
    }
    return;
  }
  ended_ = Refused{ExitCode::run_failed, divergence(exchange)};
  if (options_.on_event) options_.on_event({.kind = HubEvent::Kind::ended, .site = {}, .text = ended_->trouble.what});
  changed_.notify_all();
}

Trouble Hub::divergence(const Exchange& exchange) const {
  const auto first = std::ranges::min_element(
      places_, {}, [](const Place& p) { return p.suspicious.value_or(std::numeric_limits<ExchangeId>::max()); });
  std::string seen = exchange.outside.begin()->second + "; out of range at " + std::to_string(exchange.outside.size()) +
                     " of " + std::to_string(seats_.size()) + " sites";
  if (first->suspicious)
    seen += "; the first number beyond " + number(suspicious_entry) + " came from site '" +
            seats_[static_cast<std::size_t>(first - places_.begin())].site + "' in exchange " +
            std::to_string(*first->suspicious);
  return {.what = "the method diverged: numbers of most sites are not finite or beyond " + number(largest_entry),
          .seen = std::move(seen),
          .advice = "use a smaller step, or a larger eta or lambda; if one site alone sent such numbers first, see "
                    "what it runs"};
}

void Hub::lose_misbehaved(std::size_t seat) {
  const Trouble& trouble = *places_[seat].misbehaved;
  lose(seat, ExitCode::connection, "was cut off: " + trouble.what + " (" + trouble.seen + ")");
}

void Hub::lose(std::size_t seat, ExitCode code, const std::string& why) {
  Place& place = places_[seat];
  const std::string event = "site '" + seats_[seat].site + "' " + why;
  if (options_.on_loss == OnLoss::abort) {
    tell(HubEvent::Kind::ended, seat, why + "; the run ends");
    ended_ = Refused{code,
                     {.what = "a site was lost, and the run ends",
                      .seen = event,
                      .advice = "start the server and the sites again: the run continues where it was; or set "
                                "network.on_loss = \"drop\" to continue without a lost site"}};
    changed_.notify_all();
    return;
  }
  tell(HubEvent::Kind::dropped, seat, why + "; the run continues without it");
  place.lost = true;
  if (place.line != nullptr) place.line->closed_ = true;
  absent_.insert(absent_.end(), seats_[seat].hosted.begin(), seats_[seat].hosted.end());
  std::ranges::sort(absent_);
  require_quorum();
  if (live_ && !live_->done) start_again();
  changed_.notify_all();
}

// The others must send again, as parts of sums may hold what the lost site sent. A new object, because the threads that
// write to sites read the values of the old one.
void Hub::start_again() {
  auto again = std::make_shared<Exchange>();
  again->id = live_->id;
  again->is_sum = live_->is_sum;
  again->covers = live_->covers;
  again->given_in = live_->given_in;
  again->check = live_->check;
  again->called_late = live_->called_late;
  again->attempt = live_->attempt + 1;
  again->values.resize(live_->values.size());
  again->given.assign(seats_.size(), 0);
  live_ = std::move(again);
  rows_held_ = 0;
  finish_if_complete(*live_);
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

HubStatus Hub::status() const {
  using State = SiteStatus::State;
  const Lock lock(mutex_);
  HubStatus status{
      .exchange = journal_.next(), .durable = journal_.durable(), .waiting = 0.0, .ended = {}, .sites = {}};
  const bool under_way = live_ && !live_->done;
  if (under_way) status.waiting = seconds_since(live_->opened);
  if (ended_) status.ended = ended_->trouble.what;
  for (std::size_t s = 0; s < seats_.size(); ++s) {
    const Place& place = places_[s];
    const bool is_late = under_way && status.waiting > late && delays(*live_, s);
    status.sites.push_back({.site = seats_[s].site,
                            .state = place.lost              ? State::dropped
                                     : place.finished        ? State::finished
                                     : place.line != nullptr ? (is_late ? State::late : State::connected)
                                     : place.came            ? State::away
                                                             : State::expected,
                            .seconds = seconds_since(place.since),
                            .bytes_received = place.bytes_received,
                            .bytes_sent = place.bytes_sent,
                            .checkpoint = place.saved});
  }
  return status;
}

}  // namespace driftless
