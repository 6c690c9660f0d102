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
  using HubGroup::HubGroup;

 private:
  void open(Hub& hub) override {
    server_ = std::make_unique<GrpcServer>(hub, GrpcServerOptions{.address = "127.0.0.1:0",
                                                                  .tls = {},
                                                                  .version = version,
                                                                  .run = "run",
                                                                  .configuration = "any",
                                                                  .configuration_digest = digest});
  }
  void run_site(Hub& hub, std::size_t site, const Peer& peer) override {
    GrpcSite transport({.address = "127.0.0.1:" + std::to_string(server_->port()),
                        .tls = {},
                        .version = version,
                        .site = hub.slots()[site].site});
    transport.accept(transport.query_offer(), digest);
    peer(transport);
    transport.finish();
  }
  void close() override { server_.reset(); }

  std::unique_ptr<GrpcServer> server_;
};

GroupFactory over_grpc(const std::string& name, Placement placement) {
  return {name, [placement] { return std::make_unique<GrpcGroup>(placement); }};
}

const auto groups =
    testing::Values(over_grpc("ThreeSites", Placement::three_sites), over_grpc("Alternating", Placement::alternating));

INSTANTIATE_TEST_SUITE_P(Grpc, TransportContract, groups, group_name);
INSTANTIATE_TEST_SUITE_P(Grpc, TransportAbortContract, groups, group_name);

}  // namespace
}  // namespace driftless::test
