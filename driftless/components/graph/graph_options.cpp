#include "driftless/components/graph/graph_options.hpp"

#include <cmath>

namespace driftless {
namespace {

Graph torus(std::size_t clients) {
  if (clients <= 3 || Graph::torus_rows(clients) > 1) return Graph::torus(clients);
  throw ConfigError({.what = "the number of clients is prime, so they form no rows and columns",
                     .seen = "graph = \"torus\" with " + std::to_string(clients) + " clients",
                     .advice = "take " + std::to_string(clients + 1) + " clients, or graph = \"ring\""});
}

Graph connected_draw(std::size_t clients, const GraphOptions& o) {
  if (std::optional<Graph> graph = Graph::erdos_renyi(clients, o.edge_probability, o.graph_seed)) return *graph;
  const auto n = static_cast<double>(clients);
  throw ConfigError({.what = "a hundred random graphs were drawn and none was connected",
                     .seen = "edge_probability = " + number(o.edge_probability) + " with " + std::to_string(clients) +
                             " clients, graph_seed = " + std::to_string(o.graph_seed),
                     .advice = "give an edge_probability well above ln(n)/n = " + number(std::log(n) / n)});
}

}  // namespace

void GraphOptions::check() const {
  const bool from_file = graph == GraphName::file;
  if (from_file == graph_file.path.empty())
    throw ConfigError({.what = from_file ? "the graph 'file' needs a file" : "'graph_file' goes with graph = \"file\"",
                       .seen = "graph = " + OptionType<GraphName>::write(graph) +
                               ", graph_file = " + OptionType<EdgeFile>::write(graph_file),
                       .advice = from_file ? "give graph_file = \"...\"" : "give graph = \"file\", or no graph_file"});
  if (from_file) read_edges(graph_file.path);  // finds errors that do not depend on n before anything runs
}

Graph GraphOptions::make(std::size_t clients) const {
  switch (graph) {
    case GraphName::ring: return Graph::ring(clients);
    case GraphName::torus: return torus(clients);
    case GraphName::complete: return Graph::complete(clients);
    case GraphName::erdos_renyi: return connected_draw(clients, *this);
    case GraphName::file: break;
  }
  return read_graph(graph_file.path, clients);
}

}  // namespace driftless
