// The transport contract over as many MPI ranks as there are, and what only MPI does.
#include "driftless/network/mpi/mpi_transport.hpp"

#include "tests/network/mpi_main.hpp"
#include "tests/support/transport_contract.hpp"

#include <limits>

namespace driftless::test {
namespace {

class MpiGroup final : public TransportGroup {
 public:
  void run(std::size_t clients, const Peer& peer) override {
    MpiTransport transport(mpi_of_test(), clients);
    peer(transport);
  }
};

INSTANTIATE_TEST_SUITE_P(Mpi, TransportContract,
                         testing::Values(GroupFactory{"AllRanks", [] { return std::make_unique<MpiGroup>(); }}),
                         group_name);

double with_infinities(ClientId id, std::size_t index) {
  if (index % 3 == 0) return std::numeric_limits<double>::quiet_NaN();
  return index % 3 == 1 && id == 0 ? std::numeric_limits<double>::infinity() : contract_entry(id, index);
}

void check_sum(std::size_t clients, std::size_t width, double (*entry)(ClientId, std::size_t) = contract_entry) {
  MpiTransport transport(mpi_of_test(), clients);
  const std::vector<ClientId> from = all_clients(clients);
  expect_in_process_bits(clients, from, contract_sum(transport, from, width, entry), entry);
}

TEST(MpiTransport, RowsOfManyChunksHaveTheBitsOfOneProcess) {
  check_sum(mpi_of_test().ranks(), mpi_of_test().ranks() <= 3 ? 5'000'000 : 1'300'000);
}

TEST(MpiTransport, InfinitiesAndNotANumberAreSummed) {
  check_sum(7, 30, with_infinities);
  check_sum(7, 50'000, with_infinities);
}

TEST(MpiTransport, ASumOverNoClientLeavesTheTotalAsItIs) {
  MpiTransport transport(mpi_of_test(), 4);
  std::vector<double> total{3.0};
  transport.sum({}, {}, total);
  EXPECT_EQ(total.front(), 3.0);
}

TEST(MpiSession, NeighboursSeeADifference) {
  EXPECT_TRUE(mpi_of_test().same_as_neighbour(99));
  const bool same = mpi_of_test().same_as_neighbour(mpi_of_test().rank() == 0 ? 1 : 2);
  EXPECT_EQ(same, mpi_of_test().ranks() == 1 || mpi_of_test().rank() > 1);
}

TEST(MpiSession, HasCores) { EXPECT_GE(mpi_of_test().cores(), 1U); }

}  // namespace
}  // namespace driftless::test
