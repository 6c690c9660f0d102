// The paper's figure on quadratics, and the ratio that it must show.
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
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

TEST(Reproduce, QuickFigureTwoHasFewerDrawsAndSettings) {
  const TempFolder folder;
  const ProgramResult result = run_program({.arguments = {"reproduce", "fig2", "--quick", "--data", "generated",
                                                          "--alpha", "1", "--out", "fig2", "--format", "json"},
                                            .folder = folder.path()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json::parse(result.out);
  EXPECT_TRUE(found.at("complete"));
  EXPECT_EQ(found.at("draws"), 2);
  EXPECT_EQ(found.at("budget").at("settings_per_method"), 10);
  ASSERT_EQ(found.at("cases").size(), 1U);
  EXPECT_EQ(found.at("cases")[0].at("alpha"), 1.0);
}

TEST(Reproduce, AClaimOnAutoThatDoesNotHoldIsAFailureWhereThatIsAsked) {
  const TempFolder folder;
  folder.write("small.svm", "+1 1:1\n-1 1:2\n+1 1:3 2:1\n-1 2:2\n");
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"reproduce", "auto",      "--data", "small.svm", "--clients", "2",   "--iid",
                                       "--methods", "newton-cg", "--out",  "study",     "--format",  "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program({.arguments = arguments, .folder = folder.path()});
  };
  const ProgramResult result = run({});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(json::parse(result.out).at("complete"));
  const ProgramResult checked = run({"--check"});  // without a run of `auto` nothing can be claimed
  EXPECT_EQ(checked.exit_code, 7) << checked.err;
  EXPECT_EQ(checked.out, result.out);
}

TEST(Reproduce, PrintsTextAndMarkdownOnlyWhereItIsAskedFor) {
  const TempFolder folder;
  const auto printed = [&](const std::string& format) {
    const ProgramResult result =
        run_program({.arguments = {"reproduce", "fig2", "--quick", "--data", "generated", "--alpha", "1", "--draws",
                                   "1", "--out", format, "--format", format},
                     .folder = folder.path()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(printed("text").find('|'), std::string::npos);
  EXPECT_EQ(printed("markdown"), TempFolder::read(folder / "text/figure2.md"));
}

TEST(Reproduce, RejectsAFolderThatIsNotEmpty) {
  const TempFolder folder;
  folder.write("full/file", "x");
  const ProgramResult result =
      run_program({.arguments = {"reproduce", "table1", "--out", "full"}, .folder = folder.path()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("not empty"), std::string::npos) << result.err;
}

// Without time no trial begins, so this needs neither LibTorch nor images.
TEST(Reproduce, AStudyOfNetworksIsContinuedInItsFolderAndRejectsAnother) {
  const TempFolder folder;
  const auto study = [&](const std::string& data) {
    return run_program({.arguments = {"reproduce", "fig3", "--data", data, "--out", "study", "--seconds", "0"},
                        .folder = folder.path()});
  };
  for (int call = 0; call < 2; ++call) {
    const ProgramResult result = study("cifar10");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("0 of the 144 settings"), std::string::npos) << result.out;
  }
  const ProgramResult other = study("cifar100");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("data = \"cifar10\", asked for \"cifar100\""), std::string::npos) << other.err;
  folder.write("study/study.jsonl", "damaged\n");
  const ProgramResult damaged = study("cifar10");
  EXPECT_EQ(damaged.exit_code, 5);
  EXPECT_NE(damaged.err.find("study.jsonl:1"), std::string::npos) << damaged.err;
}

// docs/networks.md has these numbers.
TEST(Reproduce, TheStudiesInTheDocsAreThoseOfTheirPage) {
  const TempFolder folder;
  const auto page = [&](const std::string& data) {
    const std::filesystem::path file = std::filesystem::path("docs/studies") / ("fig3-" + data) / "study.jsonl";
    folder.write(data + "/study.jsonl", TempFolder::read(DRIFTLESS_SOURCE_FOLDER / file));
    return run_program({.arguments = {"reproduce", "fig3", "--data", data, "--out", data, "--seconds", "0", "--format",
                                      "markdown"},
                        .folder = folder.path()})
        .out;
  };
  EXPECT_THAT(page("cifar10"), testing::AllOf(testing::HasSubstr("12 of the 144 settings"),
                                              testing::HasSubstr("| fedprox | rate 0.1, K 20, λ 0.1 | best so far | 2 "
                                                                 "| 0.7858 | 83.10 % |")));
  EXPECT_THAT(page("cifar100"),
              testing::AllOf(testing::HasSubstr("9 of the 144 settings"), testing::HasSubstr("| 0.8698 | 61.48 % |")));
}

}  // namespace
}  // namespace driftless
