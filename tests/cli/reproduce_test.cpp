// The paper's figure on quadratics, and the ratio that it must show.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using nlohmann::json;

TEST(Reproduce, FigureOneFindsFifteenTimesFewerRounds) {
  const TempFolder folder;
  const ProgramResult result =
      run_program({.arguments = {"reproduce", "fig1", "--out", "fig1", "--format", "json"}, .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_TRUE(found.at("complete"));
  std::map<std::string, json> lines;
  for (const json& line : found.at("lines")) {
    EXPECT_TRUE(line.at("reached")) << line;
    lines[line.at("problem").get<std::string>() + " " + line.at("method").get<std::string>()] = line;
  }
  const json& dane = lines.at("strongly-convex dane+-gd-half-delta");
  const json& fedred = lines.at("strongly-convex fedred-gd-small");
  EXPECT_GE(dane.at("times_fewer_rounds_than_gd"), 15.0);
  EXPECT_GE(fedred.at("times_fewer_rounds_than_gd"), 15.0);
  EXPECT_LE(fedred.at("gradients_of_gd"), 2.0);
  // README's number for the paper's own p
  EXPECT_NEAR(lines.at("strongly-convex fedred-gd-p0.05").at("times_fewer_rounds_than_gd"), 10.0, 0.5);
  for (const char* file : {"strongly-convex.toml", "figure1-convex.svg", "figure1-non-convex.svg", "figure1.md",
                           "strongly-convex/gd/metrics.csv"})
    EXPECT_TRUE(std::filesystem::exists(folder / ("fig1/" + std::string(file)))) << file;
}

TEST(Reproduce, RejectsAFolderThatIsNotEmpty) {
  const TempFolder folder;
  folder.write("full/file", "x");
  const ProgramResult result =
      run_program({.arguments = {"reproduce", "table1", "--out", "full"}, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("not empty"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace driftless
