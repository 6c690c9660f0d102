// Graphs in files. One edge per line, two client numbers from 0 on with blanks between them; '#' begins a comment,
// empty lines count for nothing, lines may end in CR LF.
#pragma once

#include "driftless/components/graph/graph.hpp"
#include "driftless/core/options.hpp"

#include <string>
#include <vector>

namespace driftless {

// The option that names one; it is echoed as an absolute path, so that the echo works from any folder.
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

// DataError with file and line for what is no edge, a self-loop or an edge that was there before.
std::vector<EdgeLine> read_edges(const std::string& path);

// The graph of a file over n clients. Besides, DataError for a client that does not exist and for a graph in parts.
Graph read_graph(const std::string& path, std::size_t clients);

}  // namespace driftless
