// Graphs from files, and what is said about bad ones.
#include "driftless/components/graph/graph_options.hpp"

#include "tests/support/expect_error.hpp"
#include "tests/support/temp_folder.hpp"

namespace driftless::test {
namespace {

TEST(EdgeFiles, HoldOneEdgePerLineWithCommentsAndAnyLineEnd) {
  const TempFolder folder;
  const std::string path = folder.write("edges.txt", "# a path\r\n0 1\r\n\r\n  2\t1 # back\n\n3 2").string();
  const GraphOptions options{.graph = GraphName::file, .graph_file = {path}};
  EXPECT_NO_THROW(options.check());
  const Graph graph = options.make(4);
  const std::vector<Edge> edges(graph.edges().begin(), graph.edges().end());
  EXPECT_EQ(edges, (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(EdgeFiles, MayBeEmptyForOneClient) {
  const TempFolder folder;
  EXPECT_EQ(read_graph(folder.write("edges.txt", "# nobody else\n").string(), 1).clients(), 1U);
}

struct BadFile {
  std::string name;
  std::string text;
  std::vector<std::string> says;
};

class BadEdgeFile : public testing::TestWithParam<BadFile> {};

TEST_P(BadEdgeFile, IsRejectedWithFileAndLine) {
  const TempFolder folder;
  const std::string path = folder.write("edges.txt", GetParam().text).string();
  expect_error<DataError>([&] { read_graph(path, 4); }, {path});
  for (const std::string& fragment : GetParam().says) expect_error<DataError>([&] { read_graph(path, 4); }, {fragment});
}

INSTANTIATE_TEST_SUITE_P(
    EdgeFiles, BadEdgeFile,
    testing::Values(BadFile{"OneNumber", "0 1\n2\n", {"edges.txt:2: \"2\"", "not two client numbers"}},
                    BadFile{"ThreeNumbers", "0 1 2\n", {"edges.txt:1: \"0 1 2\""}},
                    BadFile{"Words", "# x\n\na b\n", {"edges.txt:3: \"a b\""}},
                    BadFile{"Negative", "0 -1\n", {"edges.txt:1: \"0 -1\""}},
                    BadFile{"Fraction", "0 1.5\n", {"edges.txt:1"}},
                    BadFile{"Huge", "0 99999999999999999999999\n", {"edges.txt:1"}},
                    BadFile{"OutOfRange", "0 1\n1 4\n", {"edges.txt:2: 4", "numbers are 0 to 3"}},
                    BadFile{"SelfLoop", "0 1\n2 2\n", {"edges.txt:2: 2 2", "with itself"}},
                    BadFile{"Repeated", "0 1\n1 2\n1 0\n", {"edges.txt:3: 1 0, also at line 1", "twice"}},
                    BadFile{"InParts", "0 1\n2 3\n", {"not connected", "from client 0 to client 2"}},
                    BadFile{"Empty", "", {"not connected"}}),
    [](const auto& file) { return file.param.name; });

TEST(EdgeFiles, AreCheckedBeforeTheNumberOfClientsIsKnown) {
  const TempFolder folder;
  const GraphOptions bad{.graph = GraphName::file, .graph_file = {folder.write("edges.txt", "0 1\nx y\n").string()}};
  expect_error<DataError>([&] { bad.check(); }, {"edges.txt:2"});
  const GraphOptions missing{.graph = GraphName::file, .graph_file = {(folder / "nothing").string()}};
  expect_error<DataError>([&] { missing.check(); }, {"cannot be read", "nothing"});
  const GraphOptions is_folder{.graph = GraphName::file, .graph_file = {folder.path().string()}};
  expect_error<DataError>([&] { is_folder.check(); }, {"cannot be read"});
}

TEST(EdgeFiles, AreEchoedAsAbsolutePathsOrNone) {
  EXPECT_EQ(OptionType<EdgeFile>::write({}), "\"none\"");
  EXPECT_EQ(OptionType<EdgeFile>::write({"/a/./b.txt"}), "\"/a/b.txt\"");
  EXPECT_EQ(OptionType<EdgeFile>::write({"b.txt"}), toml_string((std::filesystem::current_path() / "b.txt").string()));
  EdgeFile read{"before"};
  EXPECT_TRUE(OptionType<EdgeFile>::read(std::string("none"), read));
  EXPECT_TRUE(read.path.empty());
  EXPECT_FALSE(OptionType<EdgeFile>::read(1.0, read));
}

}  // namespace
}  // namespace driftless::test
