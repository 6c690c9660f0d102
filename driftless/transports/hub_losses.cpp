// Who is waited for, for how long, and what becomes of those who do not come.
#include "driftless/transports/hub_state.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

using detail::look_around;
using detail::seconds_since;

constexpr double late = 5.0;  // seconds after which a site is called late

std::string in_seconds(double seconds) { return number(std::round(10.0 * seconds) / 10.0) + " s"; }

}  // namespace

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

void Hub::let_finish(double seconds) {
  const auto start = Clock::now();
  Lock lock(mutex_);
  const auto waiting = [&] {
    return std::ranges::any_of(places_, [](const Place& p) { return !p.lost && !p.finished; });
  };
  while (waiting() && seconds_since(start) <= seconds) changed_.wait_for(lock, look_around);
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

}  // namespace driftless
