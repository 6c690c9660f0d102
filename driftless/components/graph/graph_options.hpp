// The options that choose the graph, the same for every method without a server.
#pragma once

#include "driftless/components/graph/edge_file.hpp"

#include <array>

namespace driftless {

enum class GraphName { ring, torus, complete, erdos_renyi, file };
template <>
struct EnumNames<GraphName> {
  static constexpr std::array<std::string_view, 5> value{"ring", "torus", "complete", "erdos-renyi", "file"};
};

struct GraphOptions {
  GraphName graph = GraphName::ring;
  double edge_probability = 0.5;
  std::size_t graph_seed = 1;
  EdgeFile graph_file = {};

  static Fields fields() {
    using S = GraphOptions;
    return {
        field("graph", &S::graph, anything, "which clients are neighbours"),
        field("edge_probability", &S::edge_probability, probability, "chance of every edge of erdos-renyi"),
        field("graph_seed", &S::graph_seed, anything, "seed of erdos-renyi"),
        field("graph_file", &S::graph_file, anything, "edges of the graph 'file': 'i j' per line, clients from 0 on")};
  }
  void check() const;  // ConfigError if graph and graph_file do not fit each other, DataError for a bad file

  // The connected graph over n clients. ConfigError if there is none of this kind.
  Graph make(std::size_t clients) const;
};

}  // namespace driftless
