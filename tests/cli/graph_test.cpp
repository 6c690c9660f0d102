// Methods over a graph from a configuration: files of edges, and graphs that do not fit the clients.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>

namespace driftless {
namespace {

// Four clients; gd is the first method, and must not have run when the graph is rejected.
std::string over(const std::string& graph) {
  return edit(quadratic, "[[method]]\nname = \"fedred-gd\"\nlambda = 5\neta = 100\np = 0.1\n",
              "[[method]]\nname = \"gd\"\nstep = 0.01\n[[method]]\nname = \"sonata-graph\"\nlambda = 5\n" + graph);
}

const std::string file_graph = "graph = \"file\"\ngraph_file = \"edges.txt\"\nmixing_steps = 2\n";

TEST(GraphRun, ReadsEdgesAndEchoesTheirAbsolutePath) {
  const TempFolder folder;
  folder.write("case.toml", over(file_graph));
  folder.write("edges.txt", "# a path\r\n0 1\r\n1 2\r\n2 3\r\n");
  const ProgramResult result =
      run_program({.arguments = {"run", "case.toml", "--out", "first"}, .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(TempFolder::read(folder / "first/config.toml"),
              testing::HasSubstr("graph_file = \"" + (folder / "edges.txt").lexically_normal().string() + "\""));
  const Cells cells = read_csv(folder / "first/sonata-graph/metrics.csv");
  EXPECT_EQ(cells.back()[1], "8") << "exchanges of two rounds, two mixings of two steps in each";
  EXPECT_EQ(cells.back()[2], "48") << "six messages in each";

  folder.write("elsewhere/here", "");
  const ProgramResult again =
      run_program({.arguments = {"run", "../first/config.toml", "--out", "../second"}, .folder = folder / "elsewhere"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(TempFolder::read(folder / "first/sonata-graph/model.npy"),
            TempFolder::read(folder / "second/sonata-graph/model.npy"));
}

class BadGraph : public testing::TestWithParam<BadCase> {};

TEST_P(BadGraph, IsRejectedBeforeAnythingRuns) { expect_rejection(GetParam()); }

BadCase bad_graph(std::string name, const std::string& graph, std::vector<std::pair<std::string, std::string>> files,
                  int exit_code, std::vector<std::string> fragments) {
  return {.name = std::move(name),
          .config = over(graph),
          .flags = {},
          .files = std::move(files),
          .exit_code = exit_code,
          .fragments = std::move(fragments)};
}

INSTANTIATE_TEST_SUITE_P(
    Table, BadGraph,
    testing::Values(
        bad_graph("MissingFile", file_graph, {}, data_fault, {"cannot be read", "edges.txt", "case.toml:10"}),
        bad_graph("BadLine", file_graph, {{"edges.txt", "0 1\none 2\n"}}, data_fault, {"edges.txt:2: \"one 2\""}),
        bad_graph("TooManyClients", file_graph, {{"edges.txt", "0 1\n1 2\n2 4\n"}}, data_fault,
                  {"edges.txt:3: 4", "0 to 3"}),
        bad_graph("TooFewClients", file_graph, {{"edges.txt", "0 1\n1 2\n"}}, data_fault,
                  {"not connected", "client 3"}),
        bad_graph("FileWithoutName", "graph = \"file\"\n", {}, usage, {"needs a file", "case.toml:13: graph"}),
        bad_graph("NameWithoutFile", "graph_file = \"edges.txt\"\n", {}, usage, {"'graph_file' goes with"}),
        bad_graph("NeverConnected", "graph = \"erdos-renyi\"\nedge_probability = 0.001\n", {}, usage,
                  {"none was connected", "edge_probability = 0.001 with 4 clients"}),
        bad_graph("UnknownGraph", "graph = \"star\"\n", {}, usage, {"graph = \"star\"", "ring | torus"})),
    name_of);

}  // namespace
}  // namespace driftless
