// The transport contract over gRPC, with the server and its sites in one process on the loopback interface.
#include "driftless/network/grpc/grpc_server.hpp"
#include "driftless/network/grpc/grpc_site.hpp"

#include "tests/network/contract/hub_group.hpp"

namespace driftless::test {
namespace {

constexpr const char* version = "1";
constexpr const char* digest = "digest";

class GrpcGroup final : public HubGroup {
 public:
  explicit GrpcGroup(Placement placement, double latency) : HubGroup(placement), latency_(latency) {}

 private:
  void open(Hub& hub) override {
    server_ = std::make_unique<GrpcServer>(hub, GrpcServerOptions{.address = "127.0.0.1:0",
                                                                  .tls = {},
                                                                  .version = version,
                                                                  .run = "run",
                                                                  .configuration = "any",
                                                                  .configuration_digest = digest,
                                                                  .latency = latency_});
  }
  void run_site(Hub& hub, std::size_t site, const Peer& peer) override {
    GrpcSite transport({.address = "127.0.0.1:" + std::to_string(server_->port()),
                        .tls = {},
                        .version = version,
                        .site = hub.slots()[site].site,
                        .latency = latency_});
    transport.accept(transport.query_offer(), digest);
    peer(transport);
    transport.finish();
  }
  void close() override { server_.reset(); }

  double latency_;
  std::unique_ptr<GrpcServer> server_;
};

GroupFactory over_grpc(const std::string& name, Placement placement, double latency = 0.0) {
  return {name, [=] { return std::make_unique<GrpcGroup>(placement, latency); }};
}

const auto groups =
    testing::Values(over_grpc("ThreeSites", Placement::three_sites), over_grpc("Alternating", Placement::alternating),
                    over_grpc("AsOverARelay", Placement::three_sites, 20.0));

INSTANTIATE_TEST_SUITE_P(Grpc, TransportContract, groups, group_name);
INSTANTIATE_TEST_SUITE_P(Grpc, TransportAbortContract, groups, group_name);

}  // namespace
}  // namespace driftless::test
