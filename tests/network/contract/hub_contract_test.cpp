// The transport contract for the hub, whose sites use it directly: no wire is in between.
#include "tests/network/contract/hub_group.hpp"
#include "tests/network/contract/hub_site.hpp"

namespace driftless::test {
namespace {

class DirectGroup final : public HubGroup {
 public:
  using HubGroup::HubGroup;

 private:
  void open(Hub&) override {}
  void run_site(Hub& hub, std::size_t site, const Peer& peer) override {
    HubSite transport(hub, site);
    peer(transport);
    transport.finish();
  }
  void close() override {}
};

GroupFactory direct(const std::string& name, Placement placement) {
  return {name, [placement] { return std::make_unique<DirectGroup>(placement); }};
}

const auto groups =
    testing::Values(direct("OneSite", Placement::one_site), direct("ThreeSites", Placement::three_sites),
                    direct("Alternating", Placement::alternating), direct("SitePerClient", Placement::site_per_client));

INSTANTIATE_TEST_SUITE_P(Hub, TransportContract, groups, group_name);
INSTANTIATE_TEST_SUITE_P(Hub, TransportAbortContract, groups, group_name);

}  // namespace
}  // namespace driftless::test
