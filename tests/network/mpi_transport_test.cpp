// The contract of a transport, on as many ranks as there are: sums have the bits of one process whatever the cohort and
// the length of the rows, shared rows come in the order of ids, and rank 0's word reaches all at once.
#include "driftless/network/mpi/mpi_transport.hpp"

#include "driftless/core/random.hpp"

#include "tests/network/mpi_main.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

using Entry = double (*)(ClientId id, std::size_t at);

// Cheap, and of sizes so different that another order of additions would show.
double uneven(ClientId id, std::size_t at) {
  std::uint64_t h = (id + 1) * 0x9E3779B97F4A7C15ULL ^ (at + 1) * 0xC2B2AE3D27D4EB4FULL;
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
  h ^= h >> 32;
  const double size = std::bit_cast<double>((1003 + h % 40) << 52);  // 2^-20 … 2^19
  return size * (static_cast<double>(h >> 11) * 0x1p-53 - 0.5);
}

double with_infinities(ClientId id, std::size_t at) {
  if (at % 3 == 0) return std::numeric_limits<double>::quiet_NaN();
  return at % 3 == 1 && id == 0 ? std::numeric_limits<double>::infinity() : uneven(id, at);
}

using Cohort = std::vector<ClientId>;

Cohort everyone(std::size_t n) {
  Cohort ids(n);
  for (ClientId id = 0; id < n; ++id) ids[id] = id;
  return ids;
}

Cohort drawn(std::size_t n, std::uint64_t draw) {
  Cohort ids;
  for (ClientId id = 0; id < n; ++id)
    if (Stream(draw, Purpose::cohort, id).uniform() < 0.4) ids.push_back(id);
  return ids;
}

TreeAdder::Leaf part_of_row(Entry entry, std::size_t first) {
  return [entry, first](ClientId id, std::span<double> row) {
    for (std::size_t k = 0; k < row.size(); ++k) row[k] = entry(id, first + k);
  };
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

// As one process adds, a piece at a time.
void expect_sum(std::size_t n, const Cohort& from, Entry entry, std::span<const double> total) {
  TreeAdder adder;
  std::vector<double> expected(4096);
  for (std::size_t first = 0; first < total.size(); first += expected.size()) {
    const std::span<const double> here = total.subspan(first, std::min(expected.size(), total.size() - first));
    adder.add_rows({0, n}, from, part_of_row(entry, first), std::span(expected).first(here.size()));
    const auto differs = std::ranges::mismatch(here, std::span(expected).first(here.size()), same_bits);
    ASSERT_EQ(differs.in1, here.end()) << "entry " << first + static_cast<std::size_t>(differs.in1 - here.begin())
                                       << " of " << total.size() << ", " << from.size() << " of " << n << " clients";
  }
}

// As Federation does: a lone node is formed where the total will stand.
std::vector<double> sum_here(MpiTransport& transport, const Cohort& from, Entry entry, std::size_t width) {
  std::vector<double> total(width, -1.0);
  TreeAdder adder;
  const std::vector<TreeRange> ranges = cover(transport.layout().clients, from, transport.layout().hosted);
  std::vector<std::vector<double>> rows(ranges.size() == 1 ? 0 : ranges.size(), std::vector<double>(width));
  std::vector<Node> mine;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const std::span<double> row = rows.empty() ? total : rows[k];
    adder.add_rows(ranges[k], from, part_of_row(entry, 0), row);
    mine.push_back({ranges[k], row});
  }
  transport.sum(from, mine, total);
  return total;
}

void check_sum(std::size_t n, const Cohort& from, std::size_t width, Entry entry = uneven) {
  MpiTransport transport(mpi_of_test(), n);
  expect_sum(n, from, entry, sum_here(transport, from, entry, width));
}

TEST(MpiTransport, SumsHaveTheBitsOfOneProcessForEveryoneAndForCohorts) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 16U, 33U, 100U})
    for (const std::size_t width : {1U, 5U, 1000U}) {
      check_sum(n, everyone(n), width);
      for (std::uint64_t draw = 1; draw < 6; ++draw)
        if (const Cohort from = drawn(n, draw); !from.empty()) check_sum(n, from, width);
    }
}

TEST(MpiTransport, SumOfOneClientIsItsRow) {
  for (ClientId id = 0; id < 9; ++id) check_sum(9, {id}, 10);
}

TEST(MpiTransport, LongRowsHaveTheSameBits) {
  for (const std::size_t width : {8192U, 8193U, 100'000U, 1'000'003U}) check_sum(11, everyone(11), width);
  check_sum(11, drawn(11, 3), 300'000);
  const std::size_t longest = mpi_of_test().ranks() <= 3 ? 5'000'000 : 1'300'000;
  check_sum(mpi_of_test().ranks(), everyone(mpi_of_test().ranks()), longest);
}

TEST(MpiTransport, InfinitiesAndNotANumberPassThrough) {
  check_sum(7, everyone(7), 30, with_infinities);
  check_sum(7, everyone(7), 50'000, with_infinities);
}

TEST(MpiTransport, NobodyGivesNothing) {
  MpiTransport transport(mpi_of_test(), 4);
  std::vector<double> total{3.0};
  transport.sum({}, {}, total);
  EXPECT_EQ(total.front(), 3.0);
}

void check_share(MpiTransport& transport, std::size_t width) {
  std::vector<double> mine;
  for (const ClientId id : transport.layout().hosted)
    for (std::size_t k = 0; k < width; ++k) mine.push_back(uneven(id, k));
  std::vector<double> all(transport.layout().clients * width);
  transport.share(width, mine, all);
  for (std::size_t k = 0; k < all.size(); ++k) ASSERT_EQ(all[k], uneven(k / width, k % width)) << k;
}

TEST(MpiTransport, SharesEverybodysRowsInTheOrderOfIds) {
  for (const std::size_t n : {1U, 2U, 7U, 20U}) {
    MpiTransport transport(mpi_of_test(), n);
    for (const std::size_t width : {1U, 13U, 100'000U}) check_share(transport, width);
  }
}

TEST(MpiTransport, CollectivesFollowOneAnotherInAnyMixture) {
  MpiTransport transport(mpi_of_test(), 12);
  Stream chance(5, Purpose::order);  // the same on all ranks
  for (std::uint64_t k = 0; k < 60; ++k) {
    const std::size_t width = 1 + chance.index(chance.index(4) == 0 ? 60'000 : 20);
    if (chance.index(3) == 0) check_share(transport, width);
    else if (const Cohort from = drawn(12, k + 1); !from.empty())
      expect_sum(12, from, uneven, sum_here(transport, from, uneven, width));
  }
}

TEST(MpiTransport, AStopSignalOfRank0ReachesAllWithTheSameCollective) {
  MpiTransport transport(mpi_of_test(), 7);
  const auto sum = [&] { sum_here(transport, everyone(7), uneven, 3); };
  const auto broadcast = [&](StopSignal signal) {
    if (transport.layout().rank == 0) transport.broadcast(signal);
  };
  sum();
  EXPECT_EQ(transport.agreement().signal, StopSignal::none);
  broadcast(StopSignal::time_over);
  EXPECT_EQ(transport.agreement().signal, StopSignal::none);
  sum();
  EXPECT_EQ(transport.agreement().signal, StopSignal::time_over);
  check_share(transport, 2);
  EXPECT_EQ(transport.agreement().signal, StopSignal::time_over);
  broadcast(StopSignal::terminated);
  check_share(transport, 2);
  EXPECT_EQ(transport.agreement().signal, StopSignal::terminated);
  EXPECT_TRUE(transport.agreement().absent.empty());
}

TEST(MpiSession, NeighboursSeeADifference) {
  EXPECT_TRUE(mpi_of_test().same_as_neighbour(99));
  const bool same = mpi_of_test().same_as_neighbour(mpi_of_test().rank() == 0 ? 1 : 2);
  EXPECT_EQ(same, mpi_of_test().ranks() == 1 || mpi_of_test().rank() > 1);
}

TEST(MpiSession, HasCores) { EXPECT_GE(mpi_of_test().cores(), 1U); }

}  // namespace
}  // namespace driftless
