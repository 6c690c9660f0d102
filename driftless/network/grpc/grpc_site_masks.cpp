// A site that masks its rows: it agrees on keys with the others before the first row, and reveals what removes its own
// masks once all rows of a sum have arrived.
#include "driftless/core/text.hpp"
#include "driftless/network/grpc/grpc_site.hpp"
#include "driftless/network/grpc/site_connection.hpp"

#include <algorithm>
#include <thread>

namespace driftless {
namespace {

constexpr auto ask_again_after = std::chrono::milliseconds(200);

}  // namespace

void GrpcSite::mask_rows(SecureSumOptions options, std::vector<std::vector<ClientId>> hosted,
                         std::size_t least_sites) {
  masking_.emplace(
      Masking{.masker = RowMasker(std::move(options)), .hosted = std::move(hosted), .least_sites = least_sites});
}

// Waits until all sites have announced their keys; the server ends the run where one does not come.
void GrpcSite::agree_on_keys() {
  SiteKeys& keys = masking_->masker.keys();
  bool told = false;
  while (!keys.knows_sites() || !keys.has_shares()) {
    throw_if_stopped();
    const std::vector<std::string> shares = keys.knows_sites() ? keys.sealed_shares() : std::vector<std::string>();
    detail::KeysOfSites others = keys_of_sites(shares);
    const bool news = !keys.knows_sites() && !others.announcements.empty();
    if (!others.announcements.empty()) keys.learn(std::move(others.announcements));
    if (!others.shares.empty() && keys.knows_sites() && !keys.has_shares()) keys.learn_shares(others.shares);
    if (!others.missing.empty() && !std::exchange(told, true))
      report("waiting for the keys of " + driftless::join(others.missing));
    if (!news && (!keys.knows_sites() || !keys.has_shares())) std::this_thread::sleep_for(ask_again_after);
  }
}

std::vector<bool> GrpcSite::present_sites() {
  std::vector<ClientId> absent = agreement_.absent;
  const std::vector<ClientId> more = connection_->absent();
  absent.insert(absent.end(), more.begin(), more.end());
  std::vector<bool> present;
  for (const std::vector<ClientId>& clients : masking_->hosted)
    present.push_back(std::ranges::find_first_of(clients, absent) == clients.end());
  return present;
}

void GrpcSite::reveal(const detail::Unmask& unmask) {
  if (!masking_)
    throw TransportError({.what = "the server asks for masks, and this site has none",
                          .seen = "exchange " + std::to_string(unmask.exchange),
                          .advice = "use the same program and configuration at the server and at all sites"});
  const RowMasker::Revealed revealed = masking_->masker.reveal(unmask.exchange, unmask.attempt, unmask.lost);
  wire::FromSite message;
  wire::Reveal& out = *message.mutable_reveal();
  out.set_exchange(unmask.exchange);
  out.set_attempt(unmask.attempt);
  out.set_seed(bytes_of(revealed.seed));
  for (const auto& [site, share] : revealed.shares) {
    wire::Share& one = *out.add_shares();
    one.set_site(site);
    one.set_share(bytes_of(share));
  }
  connection_->write(message);  // where this fails, the reading thread finds out why
}

// The sum over the clients of one site alone is the row of that site.
void GrpcSite::require_hidden(std::span<const ClientId> from) const {
  if (!masking_) return;
  std::size_t sites = 0;
  for (const std::vector<ClientId>& clients : masking_->hosted)
    if (std::ranges::any_of(clients, [&](ClientId id) {
          return std::ranges::binary_search(from, id) && !std::ranges::binary_search(agreement_.absent, id);
        }))
      ++sites;
  if (sites >= masking_->least_sites) return;
  throw ConfigError({.what = "a sum over so few sites would show their rows, and secure_sum is on",
                     .seen = std::to_string(from.size()) + " clients at " + std::to_string(sites) +
                             " sites, network.least_sites = " + std::to_string(masking_->least_sites),
                     .advice = "use a method in which all clients take part in every exchange, or larger cohorts; "
                               "docs/privacy.md says what a smaller least_sites shows"});
}

}  // namespace driftless
