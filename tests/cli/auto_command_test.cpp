// A configuration that names no method: `auto` runs, tells what it chose, and its files repeat the run.
#include "tests/cli/program.hpp"
#include "tests/cli/same_bits.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* no_method = R"(seed = 3
[problem]
kind = "logistic"
data = "generated"
rows = 300
dim = 40
nonzeros_per_row = 6
[federation]
clients = 6
split = "dirichlet"
alpha = 0.5
[stop]
grad_norm = 1e-8
rounds = 200
)";

ProgramResult call(const TempFolder& folder, std::vector<std::string> arguments, const char* config = no_method) {
  folder.write("case.toml", config);
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

json summary_of(const TempFolder& folder, const std::string& run) {
  return json::parse(TempFolder::read(folder / run / "auto/summary.json"));
}

TEST(AutoCommand, RunsWhereNoMethodIsNamedAndArrives) {
  const TempFolder folder;
  const ProgramResult result = call(folder, {"run", "case.toml", "--out", "out", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = summary_of(folder, "out");
  EXPECT_EQ(summary.at("name"), "auto");
  EXPECT_EQ(summary.at("stop_reason"), "grad_norm");
  const json& decision = summary.at("decision");
  EXPECT_THAT(result.err, HasSubstr("auto: " + decision.at("chosen").get<std::string>() + ": " +
                                    decision.at("reason").get<std::string>()));
  EXPECT_FALSE(decision.at("measured").empty());
  for (const auto& [name, value] : decision.at("measured").items()) EXPECT_TRUE(value.is_number()) << name;
  EXPECT_EQ(json::parse(result.out).at("methods")[0].at("decision"), decision);
}

TEST(AutoCommand, TheEchoNamesTheMethodAndRepeatsTheRun) {
  const TempFolder folder;
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "out"}).exit_code, 0);
  const std::string echo = TempFolder::read(folder / "out/config.toml");
  EXPECT_THAT(echo, HasSubstr("[[method]]\nname = \"auto\"\n"));
  EXPECT_THAT(echo, HasSubstr("gradient_goal = 1e-08\n"));
  ASSERT_EQ(call(folder, {"run", "out/config.toml", "--out", "again"}).exit_code, 0);
  EXPECT_EQ(fingerprint(folder / "out", "auto"), fingerprint(folder / "again", "auto"));
  EXPECT_EQ(summary_of(folder, "out").at("decision"), summary_of(folder, "again").at("decision"));
}

TEST(AutoCommand, MethodsThatDecideNothingHaveNoDecision) {
  const TempFolder folder;
  const std::string named = std::string(no_method) + "[[method]]\nname = \"newton-cg\"\n";
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "out"}, named.c_str()).exit_code, 0);
  EXPECT_FALSE(json::parse(TempFolder::read(folder / "out/newton-cg/summary.json")).contains("decision"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out/auto"));
}

std::string echo_with(const TempFolder& folder, std::vector<std::string> flags) {
  flags.insert(flags.begin(), {"run", "case.toml", "--dry-run"});
  const ProgramResult result = call(folder, std::move(flags));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(AutoCommand, SaveAndLinkAreShortForOptionsOfTheMethod) {
  const TempFolder folder;
  EXPECT_THAT(echo_with(folder, {}), HasSubstr("save = \"exchanges\""));
  const std::string bytes = echo_with(folder, {"--save", "bytes"});
  EXPECT_THAT(bytes, HasSubstr("save = \"bytes\""));
  EXPECT_EQ(bytes, echo_with(folder, {"-c", "method.auto.save=bytes"}));
  EXPECT_EQ(echo_with(folder, {"--save", "time", "--link", "20ms,100Mbit"}),
            echo_with(folder, {"-c", "method.save=time", "-c", "method.link=20ms,100Mbit"}));
  EXPECT_THAT(echo_with(folder, {"--link", "20ms,100Mbit"}), Not(HasSubstr("20ms")))
      << "then the link is only that of the report";
}

TEST(AutoCommand, ThePageHasTheDecision) {
  const TempFolder folder;
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "out"}).exit_code, 0);
  ASSERT_EQ(call(folder, {"report", "out"}).exit_code, 0);
  EXPECT_THAT(TempFolder::read(folder / "out/report.html"),
              HasSubstr(json(summary_of(folder, "out").at("decision").at("chosen")).dump()));
}

TEST(AutoCommand, InspectTriesItWhereNoMethodIsNamed) {
  const TempFolder folder;
  const ProgramResult result = call(folder, {"inspect", "case.toml", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\"label\": \"auto\""));
}

TEST(AutoCommand, TuneAsksForAMethod) {
  const TempFolder folder;
  const ProgramResult result = call(folder, {"tune", "case.toml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the configuration has no method"));
}

}  // namespace
}  // namespace driftless
