// What a site checks about itself and about the offer of a server, beyond the form of the message.
#pragma once

#include "driftless/pki/tls_folder.hpp"
#include "driftless/run/run_config.hpp"
#include "driftless/transports/site_offer.hpp"

#include <optional>
#include <string>

namespace driftless::app {

// The name of this site: as in its certificate, or as given where there is none. ConfigError where both are there and
// differ.
std::string own_name(const std::string& given, const std::optional<TlsFiles>& tls);

// TransportError where the clients that the server assigns to this site are not those that its configuration assigns:
// a site believes the configuration, which it may show to its people, and nothing beside it.
void require_fitting_layout(const SiteOffer& offer, const RunConfig& config);

}  // namespace driftless::app
