// Which clients the suite of the transport contract gives to each site.
#pragma once

#include "driftless/network/hub/site.hpp"

namespace driftless::test {

enum class Placement { one_site, three_sites, alternating, site_per_client };

// Every site hosts at least one client, so few clients have fewer sites.
std::vector<Site> placed(std::size_t clients, Placement placement);

}  // namespace driftless::test
