// `driftless inspect` and the cached optimum, through the program.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

ProgramResult say(const TempFolder& folder, std::vector<std::string> arguments, const std::string& cache = "cache") {
  return run_program({.arguments = std::move(arguments),
                      .folder = folder.path(),
                      .environment = {{"DRIFTLESS_CACHE", (folder / cache).string()}}});
}

const std::string logistic = "[problem]\nkind = \"logistic\"\ndata = \"generated\"\nrows = 200\ndim = 15\n"
                             "nonzeros_per_row = 5\n[federation]\nclients = 3\n[[method]]\nname = \"gd\"\nstep = 1\n"
                             "[stop]\nrounds = 20\n";

TEST(InspectCommand, TextAndJsonAndFilesSayTheSame) {
  const TempFolder folder;
  folder.write("case.toml", logistic);
  const ProgramResult text = say(folder, {"inspect", "case.toml", "--along", "gd"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("delta_A"));
  EXPECT_THAT(text.out, HasSubstr("along gd"));
  EXPECT_THAT(text.out, HasSubstr("bound of rounds has delta in it"));
  const ProgramResult result =
      say(folder, {"inspect", "case.toml", "--at", "optimum", "--out", "out", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json parsed = json::parse(result.out);
  EXPECT_EQ(parsed.at("constants"), json::parse(TempFolder::read(folder / "out/constants.json")));
  EXPECT_EQ(parsed.at("constants").at("at"), "optimum");
  EXPECT_EQ(parsed.at("predictions"), json::parse(TempFolder::read(folder / "out/predictions.json")).at("predictions"));
  EXPECT_TRUE(fs::exists(folder / "out/config.toml"));
}

TEST(InspectCommand, ThreadsDoNotChangeTheOutput) {
  const TempFolder folder;
  folder.write("case.toml", logistic);
  const auto with = [&](const std::string& threads) {
    return say(folder,
               {"inspect", "case.toml", "--along", "gd", "--format", "json", "-c", "federation.threads=" + threads})
        .out;
  };
  const std::string one = with("1");
  EXPECT_EQ(one, with("2"));
  EXPECT_EQ(one, with("7"));
}

// What the example shows to be best: dane+-gd with its lambda reaches 1e-6 in 15 rounds, 30 exchanges.
TEST(InspectCommand, AdviceOnTheShippedExampleIsAsGoodAsWhatTheExampleShows) {
  const TempFolder folder;
  const std::string example = std::string(DRIFTLESS_SOURCE_FOLDER) + "/examples/logistic.toml";
  const ProgramResult result = say(folder, {"inspect", example, "--at", "optimum", "--format", "json", "-c",
                                            "inspect.exchanges=40", "-c", "inspect.seconds=1000"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out).at("trials");
  const auto trial = [&](const char* which) { return found.at("trials").at(found.at(which).get<std::size_t>()); };
  EXPECT_EQ(trial("recommended_of_configured").at("label"), "dane+-gd");
  EXPECT_EQ(trial("recommended_of_configured").at("exchanges"), 30);
  EXPECT_LE(trial("recommended").at("exchanges"), 30);
  EXPECT_THAT(found.at("advice").get<std::string>(), HasSubstr("dane+-gd (30 exchanges, 15 rounds"));
}

TEST(InspectCommand, BadRequestsAreExplained) {
  const TempFolder folder;
  folder.write("case.toml", logistic);
  const ProgramResult method = say(folder, {"inspect", "case.toml", "--along", "fedredd"});
  EXPECT_EQ(method.exit_code, 2);
  EXPECT_THAT(method.err, HasSubstr("did you mean 'fedred'"));
  const ProgramResult point = say(folder, {"inspect", "case.toml", "--at", "nowhere.npy", "--out", "out"});
  EXPECT_EQ(point.exit_code, 5);
  EXPECT_THAT(point.err, HasSubstr("nowhere.npy"));
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(ReferenceCache, RunsHaveTheSameBitsWithAndWithoutAnEntryAndSurviveDamage) {
  const TempFolder folder;
  folder.write("case.toml", logistic);
  const auto run = [&](const std::string& out) {
    const ProgramResult result = say(folder, {"run", "case.toml", "--out", out});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return std::pair{without_column(read_csv(folder / (out + "/gd/metrics.csv")), "wall_s"), result.err};
  };
  const auto [first, quiet] = run("first");
  ASSERT_TRUE(fs::exists(folder / "cache/reference"));
  EXPECT_EQ(run("second").first, first);
  for (const auto& entry : fs::directory_iterator(folder / "cache/reference")) fs::resize_file(entry.path(), 100);
  const auto [third, warned] = run("third");
  EXPECT_EQ(third, first);
  EXPECT_THAT(warned, HasSubstr("cached optimum is not used"));
  EXPECT_THAT(quiet, testing::Not(HasSubstr("cached optimum")));
}

}  // namespace
}  // namespace driftless
