// Which sites are waited for, for how long, and what happens to those that do not come or send what they must not.
#include "driftless/network/hub/hub.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

using detail::hub_poll_interval;
using detail::seconds_since;

constexpr double late = 5.0;  // seconds after which a site is called late

std::string in_seconds(double seconds) { return number(std::round(10.0 * seconds) / 10.0) + " s"; }

}  // namespace

void Hub::wait_for_sites(double seconds, const StopToken& stop_token) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto missing = [&] {
    return std::ranges::count_if(states_,
                                 [](const SiteState& p) { return !p.lost && !p.finished && p.connection == nullptr; });
  };
  while (missing() > 0 && !stop_token.stop_requested()) {
    for (std::size_t s = 0; s < sites_.size(); ++s)
      if (states_[s].misbehaved && !states_[s].lost) lose_misbehaved(s);
    throw_if_ended();
    if (seconds_since(start) > seconds) {
      for (std::size_t s = 0; s < sites_.size(); ++s)
        if (!states_[s].lost && !states_[s].finished && states_[s].connection == nullptr)
          lose(s, ErrorKind::deadline, "did not join within " + in_seconds(seconds));
      throw_if_ended();
      return;
    }
    changed_.wait_for(lock, hub_poll_interval);
  }
}

void Hub::let_finish(double seconds, const StopToken& stop_token) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto waiting = [&] {
    return std::ranges::any_of(states_, [](const SiteState& p) { return !p.lost && !p.finished; });
  };
  while (waiting() && seconds_since(start) <= seconds && !stop_token.stop_requested())
    changed_.wait_for(lock, hub_poll_interval);
}

std::string Hub::missing_sites(const Exchange& exchange) const {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < sites_.size(); ++s)
    if (delays(exchange, s)) names.push_back(sites_[s].name + (states_[s].connection == nullptr ? " (away)" : ""));
  return join(names);
}

void Hub::check_losses() {
  const auto patience = [&](const SiteState& site_state) {
    return site_state.came ? options_.grace : std::max(options_.grace, options_.first_wait);
  };
  for (std::size_t s = 0; s < sites_.size() && !live_->done; ++s) {
    const std::shared_ptr<const Exchange> under_way = live_;  // a loss replaces it
    const Exchange& exchange = *under_way;
    const SiteState& site_state = states_[s];
    if (!wanted(exchange, s)) continue;
    const double waited = std::min(seconds_since(exchange.opened), seconds_since(site_state.since));
    if (site_state.misbehaved) lose_misbehaved(s);
    else if (site_state.finished)
      lose(s, ErrorKind::data, "has left the run, but exchange " + std::to_string(exchange.id) + " needs its rows");
    else if (site_state.connection == nullptr && seconds_since(site_state.since) > patience(site_state))
      lose(s, ErrorKind::deadline, "has been away for more than " + in_seconds(patience(site_state)));
    else if (site_state.connection != nullptr && waited > options_.deadline && delays(exchange, s))
      lose(s, ErrorKind::deadline, "has kept the others waiting for more than " + in_seconds(options_.deadline));
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
  for (const auto& [site, where] : exchange.outside) first_piece = std::min(first_piece, exchange.given[site]);
  std::size_t taking_part = 0;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    if (states_[s].lost) continue;
    ++taking_part;
    const bool known = exchange.outside.contains(s) || !wanted(exchange, s) || exchange.given[s] > first_piece;
    if (!known && !states_[s].misbehaved) return;  // its rows will tell
  }
  if (2 * exchange.outside.size() < taking_part) {
    for (const auto& [site, where] : exchange.outside) {
      states_[site].misbehaved =
          ErrorInfo{.what = "the site sent a number that is not finite or too large",
                    .seen = where,
                    .advice = "see that its data are right; if the method diverges, use a smaller step"};
      tell(HubEvent::Kind::rejected, site, "sent a number that is not finite or too large: " + where);
    }
    return;
  }
  ended_ = Rejection{ErrorKind::run_failed, divergence(exchange)};
  if (options_.on_event) options_.on_event({.kind = HubEvent::Kind::ended, .site = {}, .text = ended_->info().what});
  changed_.notify_all();
}

ErrorInfo Hub::divergence(const Exchange& exchange) const {
  const auto first = std::ranges::min_element(
      states_, {}, [](const SiteState& p) { return p.suspicious.value_or(std::numeric_limits<ExchangeId>::max()); });
  std::string seen = exchange.outside.begin()->second + "; out of range at " + std::to_string(exchange.outside.size()) +
                     " of " + std::to_string(sites_.size()) + " sites";
  if (first->suspicious)
    seen += "; the first number beyond " + number(suspicious_entry) + " came from site '" +
            sites_[static_cast<std::size_t>(first - states_.begin())].name + "' in exchange " +
            std::to_string(*first->suspicious);
  return {.what = "the method diverged: numbers of most sites are not finite or beyond " + number(largest_entry),
          .seen = std::move(seen),
          .advice = "use a smaller step, or a larger eta or lambda; if one site alone sent such numbers first, see "
                    "what it runs"};
}

void Hub::lose_misbehaved(std::size_t site) {
  const ErrorInfo& info = *states_[site].misbehaved;
  lose(site, ErrorKind::communication, "was cut off: " + info.what + " (" + info.seen + ")");
}

void Hub::lose(std::size_t site, ErrorKind kind, const std::string& why) {
  SiteState& site_state = states_[site];
  const std::string event = "site '" + sites_[site].name + "' " + why;
  if (options_.on_loss == OnLoss::abort) {
    tell(HubEvent::Kind::ended, site, why + "; the run ends");
    ended_ = Rejection{kind,
                       {.what = "a site was lost, and the run ends",
                        .seen = event,
                        .advice = "start the server and the sites again: the run continues where it was; or set "
                                  "network.on_loss = \"drop\" to continue without a lost site"}};
    changed_.notify_all();
    return;
  }
  tell(HubEvent::Kind::dropped, site, why + "; the run continues without it");
  site_state.lost = true;
  if (site_state.connection != nullptr) site_state.connection->closed_ = true;
  absent_.insert(absent_.end(), sites_[site].hosted.begin(), sites_[site].hosted.end());
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
  again->given.assign(sites_.size(), 0);
  live_ = std::move(again);
  rows_held_ = 0;
  finish_if_complete(*live_);
}

void Hub::require_quorum() {
  const auto left = static_cast<std::size_t>(std::ranges::count_if(states_, [](const SiteState& p) { return !p.lost; }));
  if (left >= options_.quorum && left > 0) return;
  ended_ = Rejection{ErrorKind::run_failed,
                     {.what = "too few sites are left",
                      .seen = std::to_string(left) + " of " + std::to_string(sites_.size()) +
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
  if (ended_) status.ended = ended_->info().what;
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    const SiteState& site_state = states_[s];
    const bool is_late = under_way && status.waiting > late && delays(*live_, s);
    status.sites.push_back({.site = sites_[s].name,
                            .state = site_state.lost                    ? State::dropped
                                     : site_state.finished              ? State::finished
                                     : site_state.connection != nullptr ? (is_late ? State::late : State::connected)
                                     : site_state.came                  ? State::away
                                                                        : State::expected,
                            .seconds = seconds_since(site_state.since),
                            .bytes_received = site_state.bytes_received,
                            .bytes_sent = site_state.bytes_sent,
                            .checkpoint = site_state.saved});
  }
  return status;
}

}  // namespace driftless
