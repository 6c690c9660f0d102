#include "driftless/peers/site_offer_check.hpp"

#include "driftless/core/error.hpp"
#include "driftless/core/printable.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace driftless {

std::string own_name(const std::string& given, const std::optional<TlsFiles>& tls) {
  if (!tls) return given;
  const std::string name = facts_of(tls->certificate).name;
  if (!given.empty() && given != name)
    throw ConfigError({.what = "the certificate is another site's",
                       .seen = "--site " + given + ", the certificate says '" + name + "'",
                       .advice = "leave --site out, or give the folder of the right certificate"});
  return name;
}

RunConfig config_of(const SiteOffer& offer, Paths paths) {
  try {
    return parse_config(offer.configuration, "the server's configuration", paths);
  } catch (const Error& error) {
    constexpr std::size_t most = 1000;  // lists of known names are long
    const ErrorInfo& info = error.info();
    throw Error(
        error.kind(),
        {.what = printable(info.what), .seen = printable(info.seen, 400), .advice = printable(info.advice, most)});
  }
}

std::string shown_configuration(const SiteOffer& offer) {
  std::istringstream lines(offer.configuration);
  std::string shown;
  for (std::string line; std::getline(lines, line);)
    shown += printable(line, std::numeric_limits<std::size_t>::max()) + "\n";
  return shown;
}

void require_fitting_layout(const SiteOffer& offer, const RunConfig& config) {
  const std::vector<SiteSlot> slots =
      config.network.sites.empty() ? std::vector<SiteSlot>() : site_slots(config.network, config.clients());
  const auto own = std::ranges::find(slots, offer.site, &SiteSlot::site);
  const bool fits = own != slots.end() && offer.layout.clients == config.clients() &&
                    offer.layout.hosted == own->hosted && offer.layout.peers == slots.size() + 1 &&
                    offer.layout.rank == static_cast<std::size_t>(own - slots.begin()) + 1;
  if (fits) return;
  throw TransportError({.what = "the offer of the server does not fit its own configuration",
                        .seen = "site '" + offer.site + "': " + std::to_string(offer.layout.hosted.size()) + " of " +
                                std::to_string(offer.layout.clients) + " clients, rank " +
                                std::to_string(offer.layout.rank) + " of " + std::to_string(offer.layout.peers),
                        .advice = "use the same program at the server and at all sites, and ask who runs the server"});
}

}  // namespace driftless
