#include "driftless/experiments/network_config.hpp"

#include "driftless/config/config_table.hpp"
#include "driftless/core/site_name.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace driftless {
namespace {

[[noreturn]] void reject(const ConfigTable& table, const std::string& what, const std::string& seen,
                         const std::string& advice) {
  throw ConfigError({.what = what, .seen = table.location + ": " + seen, .advice = advice});
}

void check_sites(const ConfigTable& table, const std::vector<std::string>& sites) {
  std::set<std::string> names;
  for (const std::string& site : sites) {
    if (!is_site_name(site))
      reject(table, "a site has a name of lower-case letters, digits and hyphens", "sites: " + toml_string(site),
             "use names such as \"north\" or \"hospital-2\", as in the certificates");
    if (!names.insert(site).second)
      reject(table, "two sites have the same name", "sites: " + toml_string(site), "give every site its own name");
  }
}

void check_hosts(const ConfigTable& table, const NetworkConfig& network, std::size_t clients) {
  if (network.hosts.empty()) {
    if (network.sites.size() > clients)
      reject(table, "there are more sites than clients",
             std::to_string(network.sites.size()) + " sites, " + std::to_string(clients) + " clients",
             "every site hosts at least one client: raise federation.clients");
    return;
  }
  const bool whole = std::ranges::all_of(network.hosts, [](double h) { return h >= 1.0 && h == std::floor(h); });
  const double hosted = std::accumulate(network.hosts.begin(), network.hosts.end(), 0.0);
  if (!whole || network.hosts.size() != network.sites.size() || hosted != static_cast<double>(clients))
    reject(table, "'hosts' does not divide the clients among the sites",
           std::to_string(network.hosts.size()) + " numbers with the sum " + number(hosted) + " for " +
               std::to_string(network.sites.size()) + " sites and " + std::to_string(clients) + " clients",
           "give a number of clients, at least 1, for each site, or leave 'hosts' out");
}

void check_masks(const ConfigTable& table, const NetworkConfig& network) {
  constexpr std::size_t most_sites_with_shares = 255;
  if (!network.secure_sum) return;
  if (!network.sites.empty() && network.sites.size() < network.least_sites)
    reject(table, "with so few sites a sum shows their rows to each other, and secure_sum is on",
           std::to_string(network.sites.size()) + " sites, least_sites = " + std::to_string(network.least_sites),
           "take more sites; a smaller least_sites forces it, and docs/privacy.md says what it shows");
  if (network.on_loss == OnLoss::drop && network.sites.size() > most_sites_with_shares)
    reject(table, "the secret of a site is shared among at most 255 sites",
           std::to_string(network.sites.size()) + " sites, on_loss = \"drop\", secure_sum = true",
           "use on_loss = \"abort\"");
}

}  // namespace

std::size_t unmask_threshold(const NetworkConfig& network) {
  if (!network.secure_sum || network.on_loss == OnLoss::abort) return 0;
  return std::max({network.quorum, network.least_sites, network.sites.size() / 2 + 1});
}

NetworkConfig read_network(const ConfigTable& table, std::size_t clients) {
  NetworkConfig network;
  network.location = table.location;
  read_table(table, network);
  check_sites(table, network.sites);
  if (!network.sites.empty()) check_hosts(table, network, clients);
  check_masks(table, network);
  if (network.quorum > std::max<std::size_t>(1, network.sites.size()))
    reject(table, "'quorum' is more than there are sites", "quorum = " + std::to_string(network.quorum),
           "give at most " + std::to_string(network.sites.size()));
  return network;
}

std::string network_text(const NetworkConfig& network) {
  return network.sites.empty() ? "" : "[network]\n" + toml_lines(echo_options(network)) + "\n";
}

std::vector<SiteSlot> site_slots(const NetworkConfig& network, std::size_t clients) {
  std::vector<SiteSlot> slots;
  ClientId next = 0;
  for (std::size_t s = 0; s < network.sites.size(); ++s) {
    const std::size_t even = clients / network.sites.size() + (s < clients % network.sites.size() ? 1 : 0);
    const std::size_t hosted = network.hosts.empty() ? even : static_cast<std::size_t>(network.hosts[s]);
    SiteSlot slot{network.sites[s], std::vector<ClientId>(hosted)};
    std::iota(slot.hosted.begin(), slot.hosted.end(), next);
    next += hosted;
    slots.push_back(std::move(slot));
  }
  return slots;
}

}  // namespace driftless
