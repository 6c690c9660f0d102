// `--link` of run and report: the real program.
#include "tests/cli/bad_case.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/temp_folder.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace driftless {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// Work left out: what remains is the same on every machine.
constexpr const char* near_link = "1ms,compute=0x";
constexpr const char* far_link = "100ms,1Mbit,compute=0x";

ProgramResult call(const TempFolder& folder, std::vector<std::string> arguments) {
  folder.write("case.toml", quadratic);
  return run_program({.arguments = std::move(arguments), .folder = folder.path()});
}

std::vector<std::string> run_with_links() {
  return {"run", "case.toml", "--out", "out", "-c", "stop.rounds=200", "--link", near_link, "--link", far_link};
}

TEST(RunOnLinks, TheSummaryHasTheTimeOfEveryLinkAndTheMetricsStayAsTheyAre) {
  const TempFolder folder;
  const ProgramResult result = call(folder, run_with_links());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("time on " + std::string(near_link)));
  const json summary = json::parse(TempFolder::read(folder / "out/fedred-gd/summary.json"));
  const json& links = summary.at("links");
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[0].at("link"), near_link);
  const double exchanges = summary.at("totals").at("exchanges").get<double>();
  EXPECT_NEAR(links[0].at("link_s").get<double>(), 0.002 * exchanges, 1e-9 * exchanges);
  EXPECT_GT(links[1].at("link_s").get<double>(), 0.2 * exchanges);
  EXPECT_EQ(links[0].at("targets").size(), 4U);
  for (const auto& row : read_csv(folder / "out/fedred-gd/metrics.csv")) EXPECT_EQ(row.size(), 12U);
}

TEST(RunOnLinks, TheJsonHasThemInItsTable) {
  const TempFolder folder;
  std::vector<std::string> arguments = run_with_links();
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProgramResult result = call(folder, arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("links"), json({near_link, far_link}));
  const json& line = answer.at("table").at("targets")[0].at("methods")[0];
  ASSERT_EQ(line.at("link_s").size(), 2U) << line;
  EXPECT_NEAR(line.at("link_s")[0].at("mean").get<double>(), 0.002 * line.at("exchanges").at("mean").get<double>(),
              1e-9);
}

TEST(RunOnLinks, WithoutOneTheOutputDoesNotMentionThem) {
  const TempFolder folder;
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "out"}).exit_code, 0);
  EXPECT_FALSE(json::parse(TempFolder::read(folder / "out/fedred-gd/summary.json")).contains("links"));
}

TEST(ReportOnLinks, HasATableAFigureAndJson) {
  const TempFolder folder;
  ASSERT_EQ(call(folder, {"run", "case.toml", "--out", "out", "-c", "stop.rounds=200"}).exit_code, 0);
  const ProgramResult text =
      call(folder, {"report", "out", "--link", near_link, "--link", far_link, "--svg", "figures"});
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("time on " + std::string(far_link)));
  EXPECT_THAT(TempFolder::read(folder / "figures/f_gap-link_s.svg"), HasSubstr("seconds on " + std::string(near_link)));
  EXPECT_TRUE(fs::exists(folder / "figures/f_gap-link_s_2.svg"));
  const ProgramResult result = call(folder, {"report", "out", "--link", near_link, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json::parse(result.out);
  EXPECT_EQ(answer.at("links"), json::parse(R"([{"key": "link_s", "link": "1ms,compute=0x"}])"));
  const json& line = answer.at("targets")[0].at("lines")[0];
  EXPECT_NEAR(line.at("link_s").at("mean").get<double>(), 0.002 * line.at("exchanges").at("mean").get<double>(), 1e-9);
}

TEST(ReportOnLinks, AgreesWithTheOutputOfTheRun) {
  const TempFolder folder;
  ASSERT_EQ(call(folder, run_with_links()).exit_code, 0);
  const json summary = json::parse(TempFolder::read(folder / "out/fedred-gd/summary.json"));
  const json answer =
      json::parse(call(folder, {"report", "out", "--link", near_link, "--link", far_link, "--format", "json"}).out);
  const json& line = answer.at("targets")[0].at("lines")[0];
  for (const std::size_t k : {0U, 1U}) {
    const json& time = summary.at("links")[k].at("targets")[0].at("link_s");
    EXPECT_EQ(line.at(k == 0 ? "link_s" : "link_s_2").at("mean"), time);
  }
}

TEST(BadLink, IsRejectedBeforeAnythingIsDone) {
  const TempFolder folder;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "case.toml", "--out", "out"}, std::vector<std::string>{"report", "nowhere"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--link", "10ms,fast"});
    const ProgramResult result = call(folder, arguments);
    EXPECT_EQ(result.exit_code, usage);
    expect_message(result.err, {"a part of a link was not understood", "--link \"10ms,fast\": 'fast'", "100Mbit"});
  }
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace driftless
