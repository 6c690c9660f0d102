// The fixed tree: the same bits however the clients are spread over threads and peers.
#include "driftless/federation/tree_sum.hpp"

#include "driftless/core/random.hpp"

#include <gtest/gtest.h>
#include <numeric>

namespace driftless {
namespace {

constexpr std::size_t width = 5;

std::vector<double> row_of(ClientId id) {
  Stream stream(17, Purpose::generator, id);
  std::vector<double> row(width);
  for (double& entry : row) entry = stream.normal() * std::pow(10.0, stream.uniform(-8, 8));
  return row;
}

const TreeAdder::Leaf leaf = [](ClientId id, std::span<double> out) {
  const std::vector<double> row = row_of(id);
  std::copy(row.begin(), row.end(), out.begin());
};

std::vector<ClientId> first(std::size_t n) {
  std::vector<ClientId> ids(n);
  std::iota(ids.begin(), ids.end(), ClientId{0});
  return ids;
}

std::vector<double> sum_alone(std::size_t n, const std::vector<ClientId>& from) {
  TreeAdder adder;
  std::vector<double> out(width);
  adder.add_rows({0, n}, from, leaf, out);
  return out;
}

// Every peer sums its clients into the nodes it can complete; one peer merges the nodes.
std::vector<double> sum_over_peers(std::size_t n, const std::vector<ClientId>& from, std::size_t peers,
                                   std::size_t grain) {
  std::vector<std::vector<double>> sums;
  std::vector<TreeRange> ranges;
  for (std::size_t peer = 0; peer < peers; ++peer) {
    std::vector<ClientId> hosted;
    for (ClientId id = 0; id < n; ++id)
      if (Stream(peers, Purpose::split, id).index(peers) == peer) hosted.push_back(id);
    for (const TreeRange range : subdivide(cover(n, from, hosted), from, grain)) {
      ranges.push_back(range);
      sums.emplace_back(width);
      TreeAdder().add_rows(range, from, leaf, sums.back());
    }
  }
  std::vector<Node> nodes;
  for (std::size_t k = 0; k < ranges.size(); ++k) nodes.push_back({ranges[k], sums[k]});
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.clients.first < b.clients.first; });
  std::vector<double> out(width);
  TreeAdder().add_nodes({0, n}, nodes, out);
  return out;
}

TEST(TreeSum, SplitsAtTheLargestPowerOfTwoBelow) {
  EXPECT_EQ(halves({0, 5}).first, (TreeRange{0, 4}));
  EXPECT_EQ(halves({0, 8}).first, (TreeRange{0, 4}));
  EXPECT_EQ(halves({4, 7}).second, (TreeRange{6, 7}));
  EXPECT_THROW(halves({3, 4}), std::logic_error);
}

TEST(TreeSum, AddsInTheOrderOfTheTree) {
  const auto r = [](ClientId id) { return row_of(id)[0]; };
  const double expected = ((r(0) + r(1)) + (r(2) + r(3))) + r(4);
  EXPECT_EQ(sum_alone(5, first(5))[0], expected);
}

TEST(TreeSum, HasTheSameBitsForEveryLayout) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 16U, 33U, 100U})
    for (const std::size_t peers : {1U, 2U, 3U, 5U, 8U})
      for (const std::size_t grain : {1U, 3U, 1000U})
        EXPECT_EQ(sum_over_peers(n, first(n), peers, grain), sum_alone(n, first(n)));
}

TEST(TreeSum, HasTheSameBitsForEveryLayoutWhenSomeAreAbsent) {
  std::vector<ClientId> from;
  for (ClientId id = 0; id < 50; ++id)
    if (Stream(3, Purpose::cohort, id).bernoulli(0.4)) from.push_back(id);
  for (const std::size_t peers : {1U, 2U, 3U, 8U}) EXPECT_EQ(sum_over_peers(50, from, peers, 2), sum_alone(50, from));
}

TEST(TreeSum, LeavesTheResultAloneWhenNobodyTakesPart) {
  std::vector<double> out(width, 7.0);
  EXPECT_FALSE(TreeAdder().add_rows({0, 5}, {}, leaf, out));
  EXPECT_EQ(out[0], 7.0);
}

TEST(TreeSum, CoversWithTheFewestNodes) {
  const std::vector<ClientId> hosted{0, 1, 2, 3, 6};
  const std::vector<TreeRange> nodes = cover(8, first(8), hosted);
  EXPECT_EQ(nodes, (std::vector<TreeRange>{{0, 4}, {6, 7}}));
}

}  // namespace
}  // namespace driftless
