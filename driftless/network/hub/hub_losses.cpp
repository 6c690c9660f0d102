// How long the hub waits for which sites, and what happens to sites that are lost or misbehave.
#include "driftless/network/hub/hub.hpp"
#include "driftless/network/hub/row_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {
namespace {

using detail::hub_poll_interval;
using detail::seconds_since;

constexpr double late = 5.0;  // seconds after which a site is reported as late

std::string in_seconds(double seconds) { return number(std::round(10.0 * seconds) / 10.0) + " s"; }
std::string away_for_more_than(double seconds) { return "has been away for more than " + in_seconds(seconds); }

}  // namespace

std::vector<std::size_t> Hub::missing_sites() const {
  std::vector<std::size_t> slots;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (!sites_[s].lost && !sites_[s].finished && sites_[s].connection == nullptr) slots.push_back(s);
  return slots;
}

// Whether all others wait only for sites that had joined and left, and have done so for the grace period. While a site
// has yet to join, nobody waits for the return of another.
bool Hub::are_away_for_good(std::span<const std::size_t> missing) const {
  if (std::ranges::any_of(missing, [&](std::size_t s) { return !sites_[s].has_joined; })) return false;
  return seconds_since(std::ranges::max(sites_, {}, &Site::since).since) > options_.grace;
}

void Hub::wait_for_sites(double seconds, const StopToken& stop_token) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  for (auto missing = missing_sites(); !missing.empty() && !stop_token.stop_requested(); missing = missing_sites()) {
    for (std::size_t s = 0; s < slots_.size(); ++s)
      if (sites_[s].misbehaviour && !sites_[s].lost) lose_misbehaved(s);
    throw_if_ended();
    const bool late_start = seconds_since(start) > seconds;
    if (late_start || are_away_for_good(missing)) {
      const std::string why =
          late_start ? "did not join within " + in_seconds(seconds) : away_for_more_than(options_.grace);
      for (const std::size_t s : missing) lose(s, ErrorKind::deadline, why);
      throw_if_ended();
      return;
    }
    changed_.wait_for(lock, hub_poll_interval);
  }
}

void Hub::wait_for_finish(double seconds, const StopToken& stop_token) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto waiting = [&] {
    return std::ranges::any_of(sites_, [](const Site& p) { return !p.lost && !p.finished; });
  };
  while (waiting() && seconds_since(start) <= seconds && !stop_token.stop_requested())
    changed_.wait_for(lock, hub_poll_interval);
}

std::string Hub::awaited_sites(const Exchange& exchange) const {
  std::vector<std::string> names;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (delays_others(exchange, s))
      names.push_back(slots_[s].site + (sites_[s].connection == nullptr ? " (away)" : ""));
  return driftless::join(names);
}

void Hub::check_losses() {
  const auto patience = [&](const Site& state) {
    return state.has_joined ? options_.grace : std::max(options_.grace, options_.first_wait);
  };
  for (std::size_t s = 0; s < slots_.size() && !live_->done; ++s) {
    const std::shared_ptr<const Exchange> under_way = live_;  // a loss replaces it
    const Exchange& exchange = *under_way;
    const Site& state = sites_[s];
    if (!is_awaited(exchange, s)) continue;
    const double waited = std::min(seconds_since(exchange.opened), seconds_since(state.since));
    if (state.misbehaviour) lose_misbehaved(s);
    else if (state.finished)
      lose(s, ErrorKind::data, "has left the run, but exchange " + std::to_string(exchange.id) + " needs its rows");
    else if (state.connection == nullptr && seconds_since(state.since) > patience(state))
      lose(s, ErrorKind::deadline, away_for_more_than(patience(state)));
    else if (state.connection != nullptr && waited > options_.deadline && delays_others(exchange, s))
      lose(s, ErrorKind::deadline, "has kept the others waiting for more than " + in_seconds(options_.deadline));
  }
  if (!live_->done && !live_->reported_late && seconds_since(live_->opened) > late) {
    live_->reported_late = true;
    if (options_.on_event)
      options_.on_event({.kind = HubEvent::Kind::late, .site = {}, .text = "waiting for " + awaited_sites(*live_)});
  }
}

// A site whose numbers are out of range misbehaves, unless most sites send such numbers: then the method diverges, or
// the large numbers of one site made the arithmetic of the others overflow. The server cannot tell which, so it drops
// no site; the message names the site that sent suspicious numbers first.
void Hub::judge_out_of_range(Exchange& exchange) {
  if (exchange.out_of_range.empty() || exchange.done || ended_) return;
  std::size_t first_chunk = exchange.chunks().count();
  for (const auto& [slot, where] : exchange.out_of_range) first_chunk = std::min(first_chunk, exchange.received[slot]);
  std::size_t taking_part = 0;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (sites_[s].lost) continue;
    ++taking_part;
    const bool known =
        exchange.out_of_range.contains(s) || !owes_rows(exchange, s) || exchange.received[s] > first_chunk;
    if (!known && !sites_[s].misbehaviour) return;  // its rows will decide
  }
  if (2 * exchange.out_of_range.size() < taking_part) {
    for (const auto& [slot, where] : exchange.out_of_range) {
      sites_[slot].misbehaviour =
          ErrorInfo{.what = "the site sent a number that is not finite or too large",
                    .seen = where,
                    .advice = "make sure that its data are right; if the method diverges, use a smaller step"};
      report(HubEvent::Kind::rejected, slot, "sent a number that is not finite or too large: " + where);
    }
    return;
  }
  ended_ = Rejection{ErrorKind::run_failed, divergence(exchange)};
  if (options_.on_event) options_.on_event({.kind = HubEvent::Kind::ended, .site = {}, .text = ended_->info().what});
  changed_.notify_all();
}

ErrorInfo Hub::divergence(const Exchange& exchange) const {
  const auto first = std::ranges::min_element(
      sites_, {}, [](const Site& p) { return p.suspicious.value_or(std::numeric_limits<ExchangeId>::max()); });
  std::string seen = exchange.out_of_range.begin()->second + "; out of range at " +
                     std::to_string(exchange.out_of_range.size()) + " of " + std::to_string(slots_.size()) + " sites";
  if (first->suspicious)
    seen += "; the first number beyond " + number(suspicious_entry) + " came from site '" +
            slots_[static_cast<std::size_t>(first - sites_.begin())].site + "' in exchange " +
            std::to_string(*first->suspicious);
  return {.what = "the method diverged: numbers of most sites are not finite or beyond " + number(largest_entry),
          .seen = std::move(seen),
          .advice = "use a smaller step, or a larger eta or lambda; if one site alone sent such numbers first, see "
                    "what it runs"};
}

void Hub::lose_misbehaved(std::size_t slot) {
  const ErrorInfo& info = *sites_[slot].misbehaviour;
  lose(slot, ErrorKind::communication, "was cut off: " + info.what + " (" + info.seen + ")");
}

void Hub::lose(std::size_t slot, ErrorKind kind, const std::string& why) {
  Site& state = sites_[slot];
  const std::string event =
      "site '" + slots_[slot].site + "' " + why + (state.declined.empty() ? "" : "; it declines: " + state.declined);
  if (options_.on_loss == OnLoss::abort) {
    report(HubEvent::Kind::ended, slot, why + "; the run ends");
    if (ended_ && state.declined.empty()) return;  // of several lost sites one that declined explains most
    ended_ = Rejection{kind,
                       {.what = "a site was lost, and the run ends",
                        .seen = event,
                        .advice = "start the server and the sites again: the run continues where it was; or set "
                                  "network.on_loss = \"drop\" to continue without a lost site"}};
    changed_.notify_all();
    return;
  }
  report(HubEvent::Kind::dropped, slot, why + "; the run continues without it");
  state.lost = true;
  if (state.connection != nullptr) state.connection->closed_ = true;
  absent_.insert(absent_.end(), slots_[slot].hosted.begin(), slots_[slot].hosted.end());
  std::ranges::sort(absent_);
  require_quorum();
  if (live_ && !live_->done) {
    if (live_->unmasking) lose_while_unmasking(slot);
    else repeat_exchange();
  }
  changed_.notify_all();
}

// The other sites send their rows again, because partial sums may hold rows of the lost site. A new object, because the
// threads that write to sites still read the values of the old one.
void Hub::repeat_exchange() {
  auto again = std::make_shared<Exchange>();
  again->id = live_->id;
  again->is_sum = live_->is_sum;
  again->addition = live_->addition;
  again->covers = live_->covers;
  again->contributions = live_->contributions;
  again->check = live_->check;
  again->reported_late = live_->reported_late;
  again->attempt = live_->attempt + 1;
  again->values.resize(live_->values.size());
  again->received.assign(slots_.size(), 0);
  live_->successor = again;
  live_ = std::move(again);
  rows_held_ = 0;
  finish_if_complete(*live_);
}

void Hub::require_quorum() {
  const auto left = static_cast<std::size_t>(std::ranges::count_if(sites_, [](const Site& p) { return !p.lost; }));
  if (left >= options_.quorum && left > 0) return;
  ended_ = Rejection{ErrorKind::run_failed,
                     {.what = "too few sites are left",
                      .seen = std::to_string(left) + " of " + std::to_string(slots_.size()) +
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
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const Site& state = sites_[s];
    const bool is_late = under_way && status.waiting > late && delays_others(*live_, s);
    status.sites.push_back({.site = slots_[s].site,
                            .state = state.lost                    ? State::dropped
                                     : state.finished              ? State::finished
                                     : state.connection != nullptr ? (is_late ? State::late : State::connected)
                                     : state.has_joined            ? State::away
                                                                   : State::expected,
                            .seconds = seconds_since(state.since),
                            .bytes_received = state.bytes_received,
                            .bytes_sent = state.bytes_sent,
                            .checkpoint = state.checkpoint});
  }
  return status;
}

}  // namespace driftless
