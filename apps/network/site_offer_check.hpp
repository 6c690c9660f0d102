// What a site checks about itself and about the offer of a server, beyond the form of the message.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/network/hub/site_offer.hpp"
#include "driftless/pki/tls_folder.hpp"

#include <optional>
#include <string>

namespace driftless::app {

// The name of this site: as in its certificate, or as given where there is none. ConfigError where both are there and
// differ.
std::string own_name(const std::string& given, const std::optional<TlsFiles>& tls);

// The configuration of an offer. Errors quote it, so their text is made printable.
RunConfig config_of(const SiteOffer& offer, Paths paths = Paths::as_written);

// The same as text for people to read and judge: no character of it changes how a terminal shows the others.
std::string shown_configuration(const SiteOffer& offer);

// TransportError where the clients that the server assigns to this site are not those that its configuration assigns:
// a site believes the configuration, which it may show to its people, and nothing beside it.
void require_fitting_layout(const SiteOffer& offer, const RunConfig& config);

}  // namespace driftless::app
