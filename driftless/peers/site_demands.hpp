// What a server asks a site for, in plain words: what is read of its data, what leaves it, and for how long.
#pragma once

#include "driftless/experiments/run_config.hpp"
#include "driftless/network/hub/site_offer.hpp"

#include <string>
#include <vector>

namespace driftless {

std::string methods_of(const RunConfig& config);  // their names

// Sentences; the texts of the server in them are made printable.
std::vector<std::string> demands_of(const SiteOffer& offer, const RunConfig& config);

}  // namespace driftless
