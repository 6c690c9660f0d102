// A rank that gives up wakes all others, wherever they wait.
#include "driftless/network/mpi/mpi_transport.hpp"

#include "tests/network/mpi_main.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>

namespace driftless {
namespace {

// Every client adds a row of ones.
void sum_ones(MpiTransport& transport, std::size_t width) {
  std::vector<ClientId> from(transport.layout().clients);
  for (ClientId id = 0; id < from.size(); ++id) from[id] = id;
  std::vector<double> total(width, 1.0);
  const std::vector<TreeRange> ranges = cover(from.size(), from, transport.layout().hosted);
  ASSERT_EQ(ranges.size(), 1U);
  transport.sum(from, std::vector<Node>{{ranges.front(), total}}, total);
}

TEST(MpiTransport, AbortWakesAllWithTheReason) {
  MpiSession& mpi = mpi_of_test();
  MpiTransport transport(mpi, mpi.ranks());
  sum_ones(transport, 10);
  MPI_Barrier(MPI_COMM_WORLD);  // or a slow rank would be woken in the sum that is well
  if (mpi.rank() == mpi.ranks() - 1) return transport.abort("the disk is full");
  for (int again = 0; again < 2; ++again) {
    try {
      sum_ones(transport, again == 0 ? 10 : 200'000);
      FAIL() << "no error on rank " << mpi.rank();
    } catch (const TransportError& error) { EXPECT_THAT(error.what(), testing::HasSubstr("the disk is full")); }
  }
  std::vector<double> all(mpi.ranks());
  const double mine = 1.0;
  EXPECT_THROW(transport.share(1, {&mine, 1}, all), TransportError);
  transport.abort("something that comes of it");  // changes nothing
}

}  // namespace
}  // namespace driftless
