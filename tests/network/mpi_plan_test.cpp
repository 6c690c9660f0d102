// ClientRanges and plans of sums over ranks; the ranks' program is played here by one process.
#include "driftless/network/mpi/mpi_plan.hpp"

#include "driftless/core/random.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace driftless {
namespace {

double entry_of(ClientId id) {
  Stream stream(17, Purpose::generator, id);
  return stream.normal() * std::pow(10.0, stream.uniform(-8, 8));
}

double sum_of(const std::vector<ClientId>& from, TreeRange range) {
  double out = 0.0;
  TreeAdder().add_rows(range, from, [](ClientId id, std::span<double> row) { row[0] = entry_of(id); }, {&out, 1});
  return out;
}

std::vector<ClientId> cohort_of(std::size_t n, std::uint64_t draw) {
  std::vector<ClientId> ids;
  for (ClientId id = 0; id < n; ++id)
    if (draw == 0 || Stream(draw, Purpose::cohort, id).uniform() < 0.4) ids.push_back(id);
  return ids;
}

// What `rank` sends up, or the total at the root.
std::vector<double> folded(const ClientRanges& ranges, std::size_t rank, std::size_t root,
                           const std::vector<ClientId>& from) {
  const MpiPlan plan = plan_sum(ranges, rank, root, from);
  std::vector<std::vector<double>> received;
  for (const MpiPlan::Child& child : plan.children) {
    received.push_back(folded(ranges, child.rank, root, from));
    EXPECT_EQ(received.back().size(), child.rows);
    EXPECT_EQ(plan_sum(ranges, child.rank, root, from).parent, rank);
  }
  std::vector<double> sums;
  for (const MpiPlan::Source& source : plan.sources)
    sums.push_back(source.child ? received[*source.child][source.row] : sum_of(from, source.clients));
  std::vector<double> out;
  std::size_t used = 0;
  for (const MpiPlan::Fold& fold : plan.folds) {
    std::vector<Node> nodes;
    for (; nodes.size() < fold.sources; ++used) nodes.push_back({plan.sources[used].clients, {&sums[used], 1}});
    TreeAdder().add_nodes(fold.clients, nodes, {&out.emplace_back(), 1});
  }
  return out;
}

TEST(ClientRanges, DifferByAtMostOneAndAreContiguous) {
  const ClientRanges ranges{.clients = 7, .ranks = 3};
  EXPECT_EQ(ranges.hosted(0), (std::vector<ClientId>{0, 1, 2}));
  EXPECT_EQ(ranges.hosted(1), (std::vector<ClientId>{3, 4}));
  EXPECT_EQ(ranges.hosted(2), (std::vector<ClientId>{5, 6}));
  EXPECT_EQ(ranges.hosted(2, 2), (std::vector<ClientId>{0, 1, 2, 5, 6}));
}

TEST(ClientRanges, LeaveTheLastRanksEmptyWhereThereAreMoreThanClients) {
  const ClientRanges ranges{.clients = 2, .ranks = 4};
  EXPECT_EQ(ranges.size(0) + ranges.size(1), 2U);
  EXPECT_TRUE(ranges.hosted(3).empty());
}

TEST(MpiPlan, GivesTheBitsOfTheTreeForEveryRootAndCohort) {
  for (const std::size_t n : {1U, 2U, 7U, 16U, 33U, 100U})
    for (const std::size_t ranks : {1U, 2U, 3U, 5U, 8U, 13U})
      for (std::size_t root = 0; root < ranks; ++root)
        for (const std::uint64_t draw : {0U, 1U, 2U}) {
          const std::vector<ClientId> from = cohort_of(n, draw);
          const std::vector<double> total = folded({n, ranks}, root, root, from);
          ASSERT_EQ(total.size(), from.empty() ? 0U : 1U);
          for (const double sum : total) EXPECT_EQ(sum, sum_of(from, {0, n})) << n << " " << ranks << " " << root;
        }
}

TEST(MpiPlan, SendsFewNodesHoweverManyClients) {
  const ClientRanges ranges{.clients = 100'000, .ranks = 7};
  const std::vector<ClientId> from = cohort_of(ranges.clients, 0);
  for (std::size_t rank = 0; rank < ranges.ranks; ++rank)
    EXPECT_LE(plan_sum(ranges, rank, 0, from).folds.size(), 2U * std::bit_width(ranges.clients));
}

}  // namespace
}  // namespace driftless
