// driftless privacy epsilon | noise | sum
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using testing::HasSubstr;

ProgramResult privacy(std::vector<std::string> arguments) {
  const TempFolder folder;
  arguments.insert(arguments.begin(), "privacy");
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

nlohmann::json facts(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramResult result = privacy(std::move(arguments));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST(PrivacyCommand, TellsTheEpsilonOfANoise) {
  const nlohmann::json told = facts({"epsilon", "--noise", "4", "--rate", "0.01", "--exchanges", "10000"});
  EXPECT_EQ(told.at("schema_version"), 1);
  EXPECT_EQ(told.at("exchanges"), 10000);
  EXPECT_EQ(told.at("delta"), 1e-5);
  EXPECT_LT(told.at("epsilon").get<double>(), 1.26);  // by Abadi et al. 2016
  EXPECT_GT(told.at("epsilon").get<double>(), 1.0);
}

TEST(PrivacyCommand, TheNoiseOfABudgetSpendsIt) {
  const nlohmann::json told = facts({"noise", "--epsilon", "2", "--exchanges", "100", "--delta", "1e-6"});
  EXPECT_NEAR(told.at("epsilon").get<double>(), 2.0, 1e-4);
  EXPECT_LE(told.at("epsilon").get<double>(), 2.0);
  const nlohmann::json back =
      facts({"epsilon", "--noise", told.at("noise").dump(), "--exchanges", "100", "--delta", "1e-6"});
  EXPECT_EQ(back.at("epsilon"), told.at("epsilon"));
}

TEST(PrivacyCommand, NoiseOfManySitesOnAFineLatticeIsThatOfOneLargerNoise) {
  const nlohmann::json sum = facts(
      {"sum", "--sites", "16", "--deviation", "500", "--sensitivity", "1000", "--dimension", "50", "--exchanges", "3"});
  const nlohmann::json one = facts({"epsilon", "--noise", "2", "--exchanges", "3"});
  EXPECT_NEAR(sum.at("epsilon").get<double>(), one.at("epsilon").get<double>(), 1e-12);
  EXPECT_EQ(sum.at("tau"), 0.0);
}

TEST(PrivacyCommand, TextHasTheSameNumbers) {
  EXPECT_THAT(privacy({"epsilon", "--noise", "4", "--rate", "0.01", "--exchanges", "10000"}).out,
              HasSubstr("epsilon    1.03538 with delta = 1e-05"));
  EXPECT_THAT(privacy({"sum", "--sites", "3", "--deviation", "1", "--sensitivity", "1"}).out, HasSubstr("tau"));
}

TEST(PrivacyCommand, RejectsWhatIsNoNoiseAndNoBudget) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"epsilon", "--noise", "0"},
                                                    {"epsilon", "--noise", "1", "--rate", "2"},
                                                    {"epsilon", "--noise", "1", "--delta", "1"},
                                                    {"noise", "--epsilon", "0"},
                                                    {"noise", "--epsilon", "1e-9"},
                                                    {"noise", "--epsilon", "1", "--exchanges", "0"},
                                                    {"sum", "--sites", "2", "--deviation", "0.1", "--sensitivity", "1"},
                                                    {"epsilon"}}) {
    const ProgramResult result = privacy(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr("do:"));
  }
}

}  // namespace
}  // namespace driftless
