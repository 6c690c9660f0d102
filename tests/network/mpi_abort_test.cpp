// The abort contract over MPI, in a program of its own: an aborted session is of no further use.
#include "driftless/core/error.hpp"
#include "driftless/network/mpi/mpi_transport.hpp"

#include "tests/network/mpi_main.hpp"
#include "tests/support/transport_contract.hpp"

namespace driftless::test {
namespace {

// Its one run ends with the abort, so what must hold afterwards is checked by this class.
class MpiAbortGroup final : public TransportGroup {
 public:
  void run(std::size_t clients, const Peer& peer) override {
    MpiTransport transport(mpi_of_test(), clients);
    peer(transport);
    if (mpi_of_test().rank() + 1 == mpi_of_test().ranks()) return;
    EXPECT_THROW(contract_sum(transport, all_clients(clients), 200'000), TransportError) << "every later sum fails";
    const std::vector<double> mine(transport.layout().hosted.size(), 1.0);
    std::vector<double> all(clients);
    EXPECT_THROW(transport.share(1, mine, all), TransportError);
    transport.abort("a consequence of the first abort");  // changes nothing
  }
  bool survives_abort() const override { return false; }
};

INSTANTIATE_TEST_SUITE_P(Mpi, TransportAbortContract,
                         testing::Values(GroupFactory{"AllRanks", [] { return std::make_unique<MpiAbortGroup>(); }}),
                         group_name);

}  // namespace
}  // namespace driftless::test
