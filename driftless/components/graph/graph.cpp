#include "driftless/components/graph/graph.hpp"

#include "driftless/core/check.hpp"
#include "driftless/core/random.hpp"

#include <algorithm>
#include <limits>

namespace driftless {
namespace {

constexpr std::uint64_t most_draws = 100;
// Graphs are drawn from a stream of no client, so that they are independent of a problem made from the same seed.
constexpr auto no_client = std::numeric_limits<std::uint64_t>::max();

Graph draw(std::size_t clients, double edge_probability, Stream stream) {
  std::vector<Edge> edges;
  for (ClientId i = 0; i < clients; ++i)
    for (ClientId j = i + 1; j < clients; ++j)
      if (stream.bernoulli(edge_probability)) edges.push_back({i, j});
  return {clients, std::move(edges)};
}

using WeightRows = std::vector<std::vector<MixingWeights::Entry>>;

WeightRows metropolis_rows(const Graph& graph) {
  WeightRows rows(graph.clients());
  for (ClientId i = 0; i < graph.clients(); ++i) {
    const double even = 1.0 / (1.0 + static_cast<double>(graph.degree(i)));
    double own = even;  // w_ii as 1/(1 + deg_i) plus the rest of each neighbour's even share: no cancellation
    for (const ClientId j : graph.neighbours(i)) {
      const std::size_t degree = std::max(graph.degree(i), graph.degree(j));
      rows[i].emplace_back(j, 1.0 / (1.0 + static_cast<double>(degree)));  // w_ij = 1/(1 + max(deg_i, deg_j))
      own += even - rows[i].back().second;
    }
    rows[i].emplace_back(i, own);
    std::ranges::sort(rows[i]);
  }
  return rows;
}

}  // namespace

Graph::Graph(std::size_t clients, std::vector<Edge> edges) : edges_(std::move(edges)), neighbours_(clients) {
  for (Edge& e : edges_) {
    if (e.i > e.j) std::swap(e.i, e.j);
    DRIFTLESS_ASSERT(e.i != e.j && e.j < clients, "an edge joins two different clients");
    neighbours_[e.i].push_back(e.j);
    neighbours_[e.j].push_back(e.i);
  }
  std::ranges::sort(edges_);
  DRIFTLESS_ASSERT(std::ranges::adjacent_find(edges_) == edges_.end(), "an edge is in a graph twice");
  for (std::vector<ClientId>& mine : neighbours_) std::ranges::sort(mine);
}

Graph Graph::ring(std::size_t clients) {
  std::vector<Edge> edges;
  for (ClientId i = 0; i + 1 < clients; ++i) edges.push_back({i, i + 1});
  if (clients > 2) edges.push_back({0, clients - 1});
  return {clients, std::move(edges)};
}

std::size_t Graph::torus_rows(std::size_t clients) {
  std::size_t rows = 1;
  for (std::size_t r = 1; r * r <= clients; ++r)
    if (clients % r == 0) rows = r;
  return rows;
}

Graph Graph::torus(std::size_t clients) {
  const std::size_t rows = torus_rows(clients);
  const std::size_t columns = clients / rows;
  std::vector<Edge> edges;
  const Graph along = ring(columns);
  const Graph across = ring(rows);
  for (std::size_t r = 0; r < rows; ++r)
    for (const Edge& e : along.edges()) edges.push_back({r * columns + e.i, r * columns + e.j});
  for (std::size_t c = 0; c < columns; ++c)
    for (const Edge& e : across.edges()) edges.push_back({e.i * columns + c, e.j * columns + c});
  return {clients, std::move(edges)};
}

Graph Graph::complete(std::size_t clients) {
  std::vector<Edge> edges;
  for (ClientId i = 0; i < clients; ++i)
    for (ClientId j = i + 1; j < clients; ++j) edges.push_back({i, j});
  return {clients, std::move(edges)};
}

std::optional<Graph> Graph::erdos_renyi(std::size_t clients, double edge_probability, std::uint64_t seed) {
  for (std::uint64_t attempt = 0; attempt < most_draws; ++attempt) {
    Graph graph = draw(clients, edge_probability, Stream(seed, Purpose::generator, no_client, attempt));
    if (!graph.unreachable()) return graph;
  }
  return std::nullopt;
}

std::optional<ClientId> Graph::unreachable() const {
  std::vector<bool> reached(clients(), false);
  std::vector<ClientId> open;
  const auto reach = [&](ClientId i) {
    if (reached[i]) return;
    reached[i] = true;
    open.push_back(i);
  };
  if (clients() > 0) reach(0);
  while (!open.empty()) {
    const ClientId i = open.back();
    open.pop_back();
    for (const ClientId j : neighbours_[i]) reach(j);
  }
  const auto left = std::ranges::find(reached, false);
  if (left == reached.end()) return std::nullopt;
  return static_cast<ClientId>(left - reached.begin());
}

MixingWeights metropolis_weights(const Graph& graph) { return MixingWeights(metropolis_rows(graph)); }

MixingWeights lazy_metropolis_weights(const Graph& graph) {
  WeightRows rows = metropolis_rows(graph);
  for (ClientId i = 0; i < rows.size(); ++i)
    for (auto& [j, w] : rows[i]) w = 0.5 * (j == i ? 1.0 + w : w);  // (I + W)/2
  return MixingWeights(std::move(rows));
}

}  // namespace driftless
