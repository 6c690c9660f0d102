// The neighbours of each client in a federation without a server: an undirected graph over the clients.
#pragma once

#include "driftless/federation/mixing_weights.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace driftless {

struct Edge {
  ClientId i;
  ClientId j;

  auto operator<=>(const Edge&) const = default;
};

class Graph {
 public:
  // Edges in any order and direction. BrokenInvariant for a self-loop, a repeated edge or a client that does not exist.
  Graph(std::size_t clients, std::vector<Edge> edges);

  static Graph ring(std::size_t clients);
  // Rows × columns = n, as close to a square as n allows; every row and every column is a ring. For a prime n there is
  // one row only, and the torus is the ring.
  static Graph torus(std::size_t clients);
  static std::size_t torus_rows(std::size_t clients);  // the largest divisor of n that is at most √n
  static Graph complete(std::size_t clients);
  // Every pair is an edge with this probability; redrawn until connected. None if a hundred draws do not suffice.
  static std::optional<Graph> erdos_renyi(std::size_t clients, double edge_probability, std::uint64_t seed);

  std::size_t clients() const { return neighbours_.size(); }
  std::span<const Edge> edges() const { return edges_; }                             // sorted, i < j
  std::span<const ClientId> neighbours(ClientId i) const { return neighbours_[i]; }  // sorted
  std::size_t degree(ClientId i) const { return neighbours_[i].size(); }
  std::size_t messages() const { return 2 * edges_.size(); }  // one each way
  std::optional<ClientId> unreachable() const;  // the first client that client 0 cannot reach, if there is one

 private:
  std::vector<Edge> edges_;
  std::vector<std::vector<ClientId>> neighbours_;
};

// Metropolis weights, for which a client needs to know its neighbours' degrees alone:
//   w_ij = 1/(1 + max(deg_i, deg_j)) for an edge, w_ii = 1 − Σ_j w_ij.
// On the complete graph all of them are 1/n: one mixing is the mean. The lazy ones are (I + W)/2: no eigenvalue is
// negative, and half of the speed is lost.
MixingWeights metropolis_weights(const Graph& graph);
MixingWeights lazy_metropolis_weights(const Graph& graph);

}  // namespace driftless
