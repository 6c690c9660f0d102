// Graphs in files. One edge per line: two client numbers, counted from 0, with blanks between them; '#' begins a
// comment, empty lines are ignored, lines may end in CR LF.
#pragma once

#include "driftless/components/graph/graph.hpp"
#include "driftless/core/options.hpp"

#include <string>
#include <vector>

namespace driftless {

// The option with the name of such a file; it is echoed as an absolute path, so that the echo works from any folder.
struct EdgeFile {
  std::string path;  // "" = none
};
template <>
struct OptionType<EdgeFile> {
  static constexpr OptionKind kind = OptionKind::text;
  static std::string allowed() { return "the path of a file, or \"none\""; }
  static bool read(const OptionValue& value, EdgeFile& out);
  static std::string write(const EdgeFile& v);
};

struct EdgeLine {
  Edge edge;
  std::size_t line;  // from 1 on
};

// DataError with file and line for a line that is not an edge, a self-loop or a repeated edge.
std::vector<EdgeLine> read_edges(const std::string& path);

// The graph of a file over n clients. Also DataError for a client that does not exist and for a graph that is not
// connected.
Graph read_graph(const std::string& path, std::size_t clients);

}  // namespace driftless
