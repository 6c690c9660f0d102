#include "tests/network/contract/placement.hpp"

#include <algorithm>

namespace driftless::test {
namespace {

std::size_t site_of(ClientId id, std::size_t clients, Placement placement) {
  switch (placement) {
    case Placement::one_site: return 0;
    case Placement::three_sites: return id == 0 ? 0 : (2 * id < clients ? 1 : std::min<std::size_t>(2, clients - 1));
    case Placement::alternating: return id % 2;
    case Placement::site_per_client: return id;
  }
  return 0;
}

}  // namespace

std::vector<SiteSlot> placed(std::size_t clients, Placement placement) {
  std::vector<SiteSlot> slots;
  for (ClientId id = 0; id < clients; ++id) {
    const std::size_t site = site_of(id, clients, placement);
    while (slots.size() <= site) slots.push_back({"site-" + std::to_string(slots.size()), {}});
    slots[site].hosted.push_back(id);
  }
  return slots;
}

}  // namespace driftless::test
