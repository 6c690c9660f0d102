// The masks of a site in a run with secure_sum: who takes part, and how announcements are signed and checked.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/network/hub/site_offer.hpp"
#include "driftless/pki/tls_folder.hpp"
#include "driftless/secure_sum/site_keys.hpp"

#include <filesystem>
#include <optional>

namespace driftless {

// Without certificates announcements are not signed: for trying things out on one machine. `folder` keeps the keys.
SecureSumOptions masks_of_site(const SiteOffer& offer, const RunConfig& config, const std::optional<TlsFiles>& tls,
                               const std::filesystem::path& folder);

// The clients of each site.
std::vector<std::vector<ClientId>> clients_of_sites(const RunConfig& config);

}  // namespace driftless
