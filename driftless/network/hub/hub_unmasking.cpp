// Sums of rows that have masks of their own: once all rows have arrived, the sites reveal what removes these masks from
// the sum. Of a site that is lost by then the others give shares of its secret, so that its row stays in this sum.
#include "driftless/network/hub/hub.hpp"
#include "driftless/secure_sum/pad.hpp"
#include "driftless/secure_sum/row_masker.hpp"
#include "driftless/secure_sum/shamir.hpp"

#include <algorithm>

namespace driftless {
namespace {

Rejection misbehaviour(std::string what, std::string seen) {
  return {ErrorKind::communication,
          {.what = std::move(what),
           .seen = std::move(seen),
           .advice = "use the same program at the server and at all sites, and ask who runs this site"}};
}

}  // namespace

bool Hub::unmasks(const Exchange& exchange) const {
  return options_.unmask_threshold > 0 && exchange.addition == Addition::modular;
}

// A site that was dropped after it had sent its rows belongs to the total before, and to no later sum: the sites hear
// of it as of a loss within this exchange. The number is the same after a restart of the server.
std::uint32_t Hub::first_attempt() const {
  const std::vector<ClientId>& known = journal_.last_agreement().absent;
  std::uint32_t losses = 0;
  for (std::size_t s = 0; s < slots_.size(); ++s)
    if (sites_[s].lost && !std::ranges::binary_search(known, slots_[s].hosted.front())) ++losses;
  return losses;
}

bool Hub::unmask(Exchange& exchange) {
  if (!exchange.unmasking) {
    exchange.unmasking = detail::Unmasking{.members = {}, .absent = absent_};
    for (const Site& state : sites_) exchange.unmasking->members.push_back(!state.lost);
    exchange.opened = Clock::now();  // sites have the whole deadline for each question
    changed_.notify_all();
    return false;
  }
  detail::Unmasking& removal = *exchange.unmasking;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!removal.members[s] || removal.seeds.contains(s)) continue;
    if (std::ranges::count(removal.lost, s) == 0 || removal.shares[s].size() < options_.unmask_threshold) return false;
  }
  remove_masks(exchange);
  return true;
}

void Hub::remove_masks(Exchange& exchange) const {
  const detail::Unmasking& removal = *exchange.unmasking;
  const History before = journal_.history();
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!removal.members[s]) continue;
    if (const auto seed = removal.seeds.find(s); seed != removal.seeds.end()) {
      subtract_pad(seed->second, exchange.values);
      continue;
    }
    std::map<std::size_t, Secret> enough = removal.shares.at(s);
    while (enough.size() > options_.unmask_threshold) enough.erase(std::prev(enough.end()));
    subtract_pad(own_mask_key(combined_secret(enough), {.exchange = exchange.id, .ends_process = ends_process_},
                              exchange.attempt, before),
                 exchange.values);
  }
}

// Its row cannot be taken out of the sum. The run ends where too few sites are left to unmask it.
void Hub::lose_while_unmasking(std::size_t slot) {
  detail::Unmasking& removal = *live_->unmasking;
  if (!removal.members[slot] || removal.seeds.contains(slot)) return finish_if_complete(*live_);
  removal.lost.push_back(slot);
  ++removal.question;
  live_->opened = Clock::now();
  const auto left = static_cast<std::size_t>(std::ranges::count_if(sites_, [](const Site& p) { return !p.lost; }));
  if (left >= options_.unmask_threshold || ended_) return;
  ended_ = Rejection{ErrorKind::run_failed,
                     {.what = "too few sites are left to unmask the rows of the lost ones",
                      .seen = std::to_string(left) + " of " + std::to_string(slots_.size()) + " sites, needed " +
                              std::to_string(options_.unmask_threshold),
                      .advice = "see why the others were lost, and start the run again, in new folders"}};
}

void HubConnection::on_reveal(ExchangeId id, std::uint32_t attempt, const Secret& seed,
                              std::span<const std::pair<std::size_t, Secret>> shares) {
  const Lock lock(hub_.mutex_);
  const std::string where = "exchange " + std::to_string(id) + ", attempt " + std::to_string(attempt);
  if (id < hub_.journal_.next()) return;  // complete without it
  if (!hub_.live_ || hub_.live_->id != id || attempt > hub_.live_->attempt)
    throw misbehaviour("the site revealed masks that nobody asked for", where);
  if (attempt < hub_.live_->attempt) return;
  if (!hub_.live_->unmasking) throw misbehaviour("the site revealed masks that nobody asked for", where);
  const std::shared_ptr<Exchange> exchange = hub_.live_;
  detail::Unmasking& removal = *exchange->unmasking;
  for (const auto& [site, share] : shares) {
    if (std::ranges::count(removal.lost, site) == 0)
      throw misbehaviour("the site gave a share that nobody asked for", where);
    if (hub_.options_.keys == nullptr || !hub_.options_.keys->is_share(site, slot_, share))
      throw misbehaviour("the site gave another share than it was dealt",
                         where + ", of the secret of site '" + hub_.slots_[site].site + "'");
  }
  removal.seeds[slot_] = seed;
  for (const auto& [site, share] : shares) removal.shares[site][slot_] = share;
  // The site may have answered an earlier question, before another one was lost.
  const bool all = std::ranges::all_of(removal.lost, [&](std::size_t s) { return removal.shares[s].contains(slot_); });
  if (all) removal.answered[slot_] = removal.question;
  hub_.finish_if_complete(*exchange);
  hub_.changed_.notify_all();
}

}  // namespace driftless
