// What a site checks about its own name and the offer of a server, beyond the format of the message.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/network/hub/site_offer.hpp"
#include "driftless/pki/tls_folder.hpp"

#include <optional>
#include <string>

namespace driftless {

// The name of this site: that of its certificate, or the given one where there is none. ConfigError where they differ.
std::string own_name(const std::string& given, const std::optional<TlsFiles>& tls);

// The configuration of an offer. Errors quote it, so their text is made printable.
RunConfig config_of(const SiteOffer& offer, Paths paths = Paths::as_written);

// The same as printable text: no character of it changes how a terminal shows the others.
std::string shown_configuration(const SiteOffer& offer);

// TransportError where the server assigns other clients to this site than its own configuration does. A site relies on
// the configuration alone, which its users can read.
void require_fitting_layout(const SiteOffer& offer, const RunConfig& config);

}  // namespace driftless
