#include "driftless/components/graph/edge_file.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace driftless {
namespace {

std::string location(const std::string& path, std::size_t line) { return path + ":" + std::to_string(line); }

[[noreturn]] void reject(std::string what, std::string seen, std::string advice) {
  throw DataError({.what = std::move(what), .seen = std::move(seen), .advice = std::move(advice)});
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);  // CR is a blank
  return words;
}

bool read_client(const std::string& word, ClientId& out) {
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, out);
  return error == std::errc{} && stop == end;
}

Edge parse_edge(const std::vector<std::string>& words, const std::string& where) {
  Edge edge{};
  if (words.size() != 2 || !read_client(words[0], edge.i) || !read_client(words[1], edge.j))
    reject("a line of the graph is not two client numbers", where + ": " + toml_string(join(words, " ").substr(0, 60)),
           "write one edge per line, such as '0 1'; clients count from 0");
  if (edge.i == edge.j)
    reject("an edge joins a client with itself", where + ": " + join(words, " "),
           "remove the line: every client hears itself anyway");
  if (edge.i > edge.j) std::swap(edge.i, edge.j);
  return edge;
}

}  // namespace

bool OptionType<EdgeFile>::read(const OptionValue& value, EdgeFile& out) {
  if (!OptionType<std::string>::read(value, out.path)) return false;
  if (out.path == "none") out.path.clear();
  return true;
}

std::string OptionType<EdgeFile>::write(const EdgeFile& v) {
  return toml_string(v.path.empty() ? "none" : std::filesystem::absolute(v.path).lexically_normal().string());
}

std::vector<EdgeLine> read_edges(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path))
    reject("the graph cannot be read", path, "give the path of a text file with one edge 'i j' per line");
  std::vector<EdgeLine> edges;
  std::map<Edge, std::size_t> seen;
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) continue;
    const Edge edge = parse_edge(words, location(path, line));
    const auto [first, is_new] = seen.emplace(edge, line);
    if (!is_new)
      reject("an edge is in the graph twice",
             location(path, line) + ": " + join(words, " ") + ", also at line " + std::to_string(first->second),
             "remove one of the two lines; edges have no direction");
    edges.push_back({edge, line});
  }
  return edges;
}

Graph read_graph(const std::string& path, std::size_t clients) {
  std::vector<Edge> edges;
  for (const auto& [edge, line] : read_edges(path)) {
    if (edge.j >= clients)
      reject("the graph names a client that does not exist", location(path, line) + ": " + std::to_string(edge.j),
             "with " + std::to_string(clients) + " clients the numbers are 0 to " + std::to_string(clients - 1));
    edges.push_back(edge);
  }
  Graph graph(clients, std::move(edges));
  if (const auto alone = graph.unreachable())
    reject("the graph is not connected", path + ": no way from client 0 to client " + std::to_string(*alone),
           "add edges until every client can reach every other");
  return graph;
}

}  // namespace driftless
