// How the transport contract suite assigns clients to sites.
#pragma once

#include "driftless/network/hub/site_slot.hpp"

namespace driftless::test {

enum class Placement { one_site, three_sites, alternating, site_per_client };

// Every site hosts at least one client, so few clients have fewer sites.
std::vector<SiteSlot> placed(std::size_t clients, Placement placement);

}  // namespace driftless::test
