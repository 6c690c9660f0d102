// Graphs and their Metropolis weights.
#include "driftless/components/graph/graph_options.hpp"
#include "driftless/core/check.hpp"

#include "tests/support/expect_error.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace driftless::test {
namespace {

using Edges = std::vector<Edge>;

Edges edges_of(const Graph& graph) { return {graph.edges().begin(), graph.edges().end()}; }

// cos(2πk/n)
double cosine(std::size_t k, std::size_t n) {
  return std::cos(2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
}

TEST(Graphs, RingJoinsNeighboursAndEnds) {
  EXPECT_EQ(edges_of(Graph::ring(4)), (Edges{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
  EXPECT_EQ(edges_of(Graph::ring(2)), (Edges{{0, 1}})) << "one edge, not two";
  EXPECT_TRUE(Graph::ring(1).edges().empty());
}

TEST(Graphs, TorusHasFourNeighboursFromThreeRowsOn) {
  for (const std::size_t n : {9U, 12U, 16U, 25U, 30U}) {
    const Graph torus = Graph::torus(n);
    EXPECT_EQ(torus.messages(), 4 * n);
    for (ClientId i = 0; i < n; ++i) EXPECT_EQ(torus.degree(i), 4U) << n;
  }
  const Graph torus = Graph::torus(12);  // 3 × 4
  const std::vector<ClientId> mine(torus.neighbours(5).begin(), torus.neighbours(5).end());
  EXPECT_EQ(mine, (std::vector<ClientId>{1, 4, 6, 9}));
}

TEST(Graphs, TorusTakesTheFactorsNearestToASquare) {
  EXPECT_EQ(Graph::torus_rows(12), 3U);
  EXPECT_EQ(Graph::torus_rows(16), 4U);
  EXPECT_EQ(Graph::torus_rows(26), 2U);
  EXPECT_EQ(Graph::torus_rows(7), 1U);
  EXPECT_EQ(edges_of(Graph::torus(4)).size(), 4U) << "two rows have one edge between them in each column";
  EXPECT_EQ(edges_of(Graph::torus(6)).size(), 9U);
  EXPECT_EQ(edges_of(Graph::torus(7)), edges_of(Graph::ring(7)));
}

TEST(Graphs, CompleteJoinsEveryPair) {
  EXPECT_EQ(Graph::complete(7).messages(), 7U * 6);
  EXPECT_EQ(edges_of(Graph::complete(3)), (Edges{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(Graphs, RandomOnesAreConnectedAndFollowTheirSeed) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Graph graph = Graph::erdos_renyi(20, 0.15, seed).value();
    EXPECT_FALSE(graph.unreachable().has_value());
    EXPECT_EQ(edges_of(graph), edges_of(Graph::erdos_renyi(20, 0.15, seed).value()));
    EXPECT_NE(edges_of(graph), edges_of(Graph::erdos_renyi(20, 0.15, seed + 10).value()));
  }
  EXPECT_EQ(edges_of(Graph::erdos_renyi(9, 1.0, 1).value()), edges_of(Graph::complete(9)));
  EXPECT_FALSE(Graph::erdos_renyi(50, 0.001, 1).has_value());
}

TEST(Graphs, RandomOnesHaveTheirShareOfThePairs) {
  double edges = 0.0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    edges += static_cast<double>(Graph::erdos_renyi(30, 0.4, seed)->edges().size());
  EXPECT_NEAR(edges / (100 * 435.0), 0.4, 0.01);  // four standard deviations
}

TEST(Graphs, TellWhoCannotBeReached) {
  EXPECT_EQ(Graph(5, {{0, 3}, {1, 2}}).unreachable(), std::optional<ClientId>(1));
  EXPECT_EQ(Graph(3, {{1, 0}, {2, 1}}).unreachable(), std::nullopt);
}

TEST(Graphs, RejectEdgesThatMakeNoSimpleGraph) {
  EXPECT_THROW(Graph(3, {{1, 1}}), BrokenInvariant);
  EXPECT_THROW(Graph(3, {{0, 3}}), BrokenInvariant);
  EXPECT_THROW(Graph(3, {{0, 1}, {1, 0}}), BrokenInvariant);
}

// Degrees 1, 2, 1.
TEST(MetropolisWeights, OfAPathByHand) {
  const MixingWeights W = metropolis_weights(Graph(3, {{0, 1}, {1, 2}}));
  const std::vector<std::vector<MixingWeights::Entry>> rows{
      {{0, 2.0 / 3}, {1, 1.0 / 3}}, {{0, 1.0 / 3}, {1, 1.0 / 3}, {2, 1.0 / 3}}, {{1, 1.0 / 3}, {2, 2.0 / 3}}};
  for (ClientId i = 0; i < 3; ++i) {
    ASSERT_EQ(W.row(i).size(), rows[i].size());
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      EXPECT_EQ(W.row(i)[k].first, rows[i][k].first);
      EXPECT_DOUBLE_EQ(W.row(i)[k].second, rows[i][k].second);
    }
  }
  EXPECT_EQ(W.messages(), 4U);
  EXPECT_NEAR(W.rho(), 2.0 / 3, 1e-15);  // eigenvalues 1, 2/3, 0
}

TEST(MetropolisWeights, AreSymmetricAndDoublyStochasticOnEveryGraph) {
  for (const std::size_t n : {1U, 2U, 3U, 4U, 6U, 12U, 16U}) {
    for (const Graph& graph :
         {Graph::ring(n), Graph::torus(n), Graph::complete(n), Graph::erdos_renyi(n, 0.4, 3).value()}) {
      const MixingWeights W = metropolis_weights(graph);
      Matrix dense = Matrix::Zero(static_cast<Index>(n), static_cast<Index>(n));
      for (ClientId i = 0; i < n; ++i)
        for (const auto& [j, w] : W.row(i)) dense(static_cast<Index>(i), static_cast<Index>(j)) = w;
      EXPECT_TRUE(dense == dense.transpose());
      EXPECT_GT(dense.diagonal().minCoeff(), 0.0);
      EXPECT_GE(dense.minCoeff(), 0.0);
      EXPECT_LT((dense.rowwise().sum().array() - 1.0).abs().maxCoeff(), 1e-15);
      EXPECT_EQ(W.messages(), graph.messages());
      EXPECT_LT(W.rho(), 1.0) << "connected";
    }
  }
}

TEST(MetropolisWeights, OfTheCompleteGraphAreExactlyOneOverN) {
  for (const std::size_t n : {2U, 3U, 7U, 49U}) {
    const MixingWeights W = metropolis_weights(Graph::complete(n));
    for (ClientId i = 0; i < n; ++i)
      for (const auto& [j, w] : W.row(i)) EXPECT_EQ(w, 1.0 / static_cast<double>(n));
    EXPECT_LT(W.rho(), 1e-14);
  }
}

// (1 + 0.6)/2 and (1 − 0.6)/2 on the torus of 4 × 4, whose other eigenvalues lie between.
TEST(MetropolisWeights, AreHalfwayToTheIdentityIfLazy) {
  const Graph torus = Graph::torus(16);
  const MixingWeights W = metropolis_weights(torus);
  const MixingWeights lazy = lazy_metropolis_weights(torus);
  for (ClientId i = 0; i < 16; ++i) {
    ASSERT_EQ(lazy.row(i).size(), 5U);
    for (const auto& [j, w] : lazy.row(i)) EXPECT_DOUBLE_EQ(w, j == i ? 0.6 : 0.1);
  }
  EXPECT_NEAR(W.rho(), 0.6, 1e-14);
  EXPECT_NEAR(lazy.rho(), 0.8, 1e-14);
  EXPECT_EQ(lazy.messages(), W.messages());
}

// λ_k = 1/3 + (2/3) cos(2πk/n)
TEST(MetropolisWeights, OfTheRingHaveTheClosedFormOfRho) {
  for (const std::size_t n : {3U, 4U, 5U, 8U, 16U, 31U}) {
    double rho = 0.0;
    for (std::size_t k = 1; k < n; ++k) rho = std::max(rho, std::abs(1.0 + 2.0 * cosine(k, n)) / 3.0);
    EXPECT_NEAR(metropolis_weights(Graph::ring(n)).rho(), rho, 1e-14) << n;
  }
}

// λ_kl = (1 + 2 cos(2πk/rows) + 2 cos(2πl/columns))/5
TEST(MetropolisWeights, OfTheTorusHaveTheClosedFormOfRho) {
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{3, 4}, {4, 4}, {5, 6}}) {
    double rho = 0.0;
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t l = 0; l < columns; ++l)
        if (k + l > 0) rho = std::max(rho, std::abs(1.0 + 2.0 * cosine(k, rows) + 2.0 * cosine(l, columns)) / 5.0);
    EXPECT_NEAR(metropolis_weights(Graph::torus(rows * columns)).rho(), rho, 1e-14);
  }
}

TEST(GraphOptionsTest, MakeTheGraphOfTheirName) {
  EXPECT_EQ(edges_of(GraphOptions{}.make(8)), edges_of(Graph::ring(8)));
  EXPECT_EQ(edges_of(GraphOptions{.graph = GraphName::torus}.make(8)), edges_of(Graph::torus(8)));
  EXPECT_EQ(edges_of(GraphOptions{.graph = GraphName::complete}.make(8)), edges_of(Graph::complete(8)));
  const GraphOptions random{.graph = GraphName::erdos_renyi, .edge_probability = 0.5, .graph_seed = 4};
  EXPECT_EQ(edges_of(random.make(8)), edges_of(Graph::erdos_renyi(8, 0.5, 4).value()));
}

TEST(GraphOptionsTest, SayWhatToDoWhereThereIsNoSuchGraph) {
  expect_error<ConfigError>([] { GraphOptions{.graph = GraphName::torus}.make(13); },
                            {"prime", "13 clients", "take 14 clients"});
  EXPECT_EQ(GraphOptions{.graph = GraphName::torus}.make(3).messages(), 6U) << "a triangle is a torus well enough";
  expect_error<ConfigError>([] { GraphOptions{.graph = GraphName::erdos_renyi, .edge_probability = 0.001}.make(50); },
                            {"none was connected", "edge_probability = 0.001", "ln(n)/n = 0.078"});
}

TEST(GraphOptionsTest, RejectAFileThatTheyDoNotReadAndRequireOneThatTheyRead) {
  expect_error<ConfigError>([] { GraphOptions{.graph_file = {"edges.txt"}}.check(); },
                            {"'graph_file' goes with graph = \"file\"", "graph = \"ring\""});
  expect_error<ConfigError>([] { GraphOptions{.graph = GraphName::file}.check(); },
                            {"needs a file", "graph_file = \"none\""});
}

}  // namespace
}  // namespace driftless::test
