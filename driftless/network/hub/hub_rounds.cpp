// Rounds that end for all peers inside an exchange: because the time of the server is over, or because a client of some
// peer has made more gradients than the run may. The journal holds the decision in place of a total, so that a peer
// that restarts makes the same one.
#include "driftless/network/hub/hub.hpp"

namespace driftless {
namespace {

ErrorInfo nothing_to_abandon(ExchangeId id) {
  return {.what = "the site abandoned an exchange without a limit of work",
          .seen = "exchange " + std::to_string(id),
          .advice = "use the same program at the server and at all sites"};
}

}  // namespace

void Hub::open_round(RoundLimits limits) {
  const Lock lock(mutex_);
  round_ = std::move(limits);
  own_abandonment_ = StopSignal::none;
}

void Hub::close_round() {
  const Lock lock(mutex_);
  round_.reset();
  own_abandonment_ = StopSignal::none;
}

void Hub::abandon_round(StopSignal reason) {
  const Lock lock(mutex_);
  own_abandonment_ = reason;
}

bool Hub::is_abandoned(ExchangeId id) const {
  const Lock lock(mutex_);
  return id < journal_.next() && journal_.has(id) && abandons_round(journal_.signal_of(id));
}

bool Hub::site_abandons(ExchangeId id) const {
  const Lock lock(mutex_);
  return limits_work() && site_abandonment_ && site_abandonment_->exchange == id;
}

// Called when an exchange begins and while the server waits for it.
void Hub::check_round() {
  if (live_->done) return;
  if (site_abandonment_ && site_abandonment_->exchange == live_->id) {
    if (limits_work()) return abandon(StopSignal::work_over_in_round);
    sites_[site_abandonment_->slot].misbehaviour = nothing_to_abandon(live_->id);
    site_abandonment_.reset();
    changed_.notify_all();
  }
  if (!round_) return;
  if (own_abandonment_ != StopSignal::none) return abandon(own_abandonment_);
  if (round_->time_is_over && round_->time_is_over()) abandon(StopSignal::time_over_in_round);
}

// A new object, because the threads that write to sites still read the values of the old one. Sites send no more rows
// once they have it.
void Hub::abandon(StopSignal reason) {
  auto end = std::make_shared<Exchange>();
  end->id = live_->id;
  end->attempt = live_->attempt;
  end->received.assign(slots_.size(), 0);
  end->contributions.assign(slots_.size(), Chunks{0});
  end->agreement = {.signal = reason, .absent = absent_};
  journal_.append({}, end->agreement);
  end->history = journal_.history();
  end->done = true;
  live_->successor = end;
  live_ = std::move(end);
  rows_held_ = 0;
  site_abandonment_.reset();
  changed_.notify_all();
}

void HubConnection::on_abandon(ExchangeId id) {
  const Lock lock(hub_.mutex_);
  if (id < hub_.journal_.next()) return;  // it was complete without the rows of this site
  if (id > hub_.journal_.next()) throw Rejection{ErrorKind::communication, nothing_to_abandon(id)};
  hub_.site_abandonment_ = {.slot = slot_, .exchange = id};  // the server may not have begun it yet
  hub_.changed_.notify_all();
}

}  // namespace driftless
