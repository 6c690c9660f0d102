// From run directories to curves, to the data of the page, to the page.
#include "driftless/core/error.hpp"
#include "driftless/methods/catalog.hpp"
#include "driftless/report/curves.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/page_data.hpp"
#include "driftless/report/report_figures.hpp"

#include "tests/report/small_run.hpp"
#include "tests/support/expect_error.hpp"

#include <cmath>

namespace driftless {
namespace {

using nlohmann::json;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t round_column = 0;
constexpr std::size_t work_column = 3;
constexpr std::size_t gap_column = 6;
constexpr std::size_t dist_column = 10;

std::vector<RunFiles> small_runs(const TempFolder& folder, const std::vector<std::string>& names = {"small"}) {
  std::vector<RunFiles> runs;
  for (const std::string& name : names) {
    if (!std::filesystem::exists(folder / name)) write_small_run(folder, name);
    runs.push_back(read_run(folder / name));
  }
  return runs;
}

json data_of(const std::vector<RunFiles>& runs) { return json::parse(page_data(runs)); }

TEST(ReadRun, HasMethodsWithOptionsRowsAndEnds) {
  const TempFolder folder;
  const RunFiles run = small_runs(folder).front();
  EXPECT_EQ(run.name, "small");
  ASSERT_EQ(run.methods.size(), 4U);
  EXPECT_EQ(run.methods[0].name, "gd");
  EXPECT_EQ(run.methods[0].rows.size(), 4U);
  EXPECT_EQ(run.methods[0].stop_reason, "rounds");
  EXPECT_EQ(run.methods[2].stop_reason, "");
  EXPECT_EQ(run.methods[1].seed, "1");
  ASSERT_EQ(run.methods[1].options.size(), 2U);
  EXPECT_EQ(run.methods[1].options[0], (std::pair<std::string, std::string>("lambda", "5")));
}

TEST(ReadRun, ADirectoryThatIsNoRunIsRejected) {
  const TempFolder folder;
  expect_error<DataError>([&] { read_run(folder / "nowhere"); }, {"no such directory", "nowhere"});
  expect_error<DataError>([&] { read_run(folder.path()); }, {"not the directory of a run", "no file config.toml"});
  folder.write("file", "x");
  expect_error<DataError>([&] { read_run(folder / "file"); }, {"not a directory"});
}

TEST(ReadRun, DamagedFilesAreNamed) {
  const TempFolder folder;
  write_small_run(folder);
  folder.write("small/run.json", "{");
  expect_error<DataError>([&] { read_run(folder / "small"); }, {"not JSON", "run.json"});
  folder.write("small/run.json", small_record);
  folder.write("small/config.toml", "[odd]\n");
  expect_error<DataError>([&] { read_run(folder / "small"); }, {"odd", "config.toml"});
}

TEST(Curves, MethodsThatDifferOnlyInSeedAreMeanLeastAndGreatestOverCommonRounds) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = small_runs(folder);
  const std::vector<Curve> curves = curves_of(runs);
  ASSERT_EQ(curves.size(), 2U);
  EXPECT_EQ(curves[0].label, "gd");
  EXPECT_THAT(curves[0].mean[gap_column], ElementsAre(1.0, 0.5, 0.25, 1e-3));
  EXPECT_TRUE(curves[0].low.empty());
  EXPECT_EQ(curves[1].label, "fedred-gd (3 seeds)");
  EXPECT_THAT(curves[1].mean[round_column], ElementsAre(0.0, 1.0));  // the third seed has no round 2
  EXPECT_THAT(curves[1].mean[gap_column], ElementsAre(DoubleEq(1.0), DoubleEq(0.2)));
  EXPECT_THAT(curves[1].low[gap_column], ElementsAre(1.0, 0.1));
  EXPECT_THAT(curves[1].high[gap_column], ElementsAre(1.0, 0.3));
  EXPECT_THAT(curves[1].mean[work_column], ElementsAre(0.0, 20.0));
  EXPECT_TRUE(std::isnan(curves[0].mean[dist_column][0]));
}

TEST(Curves, SeedsAreFoundOverSeveralRunsAndOtherProblemsAreKeptApart) {
  const TempFolder folder;
  const std::vector<RunFiles> same = small_runs(folder, {"a", "b"});
  EXPECT_EQ(curves_of(same)[0].label, "gd (2 seeds)");
  write_small_run(folder, "c");
  folder.write("c/config.toml", std::string(small_head).replace(std::string(small_head).find("dim = 3"), 7, "dim = 4"));
  const std::vector<RunFiles> different{read_run(folder / "a"), read_run(folder / "c")};
  const std::vector<Curve> curves = curves_of(different);
  ASSERT_EQ(curves.size(), 3U);
  EXPECT_EQ(curves[0].label, "gd · a");
  EXPECT_EQ(curves[2].label, "gd · c");
  EXPECT_EQ(curves[0].problem, curves[1].problem);
  EXPECT_NE(curves[0].problem, curves[2].problem);
}

TEST(Replay, AddsAColumnPerLinkBeforeWhatIsReached) {
  const TempFolder folder;
  std::vector<RunFiles> runs = small_runs(folder);
  replay(runs[0], std::vector{read_link("0.5s,compute=0x"), read_link("400bit")});
  const json data = data_of(runs);
  EXPECT_EQ(data.at("x").back(), json::parse(R"({"key": "link_s_2", "title": "seconds on 400bit"})"));
  EXPECT_EQ(data.at("links")[0], json::parse(R"({"key": "link_s", "link": "0.5s,compute=0x"})"));
  // Two exchanges a round, each twice half a second.
  EXPECT_EQ(data.at("curves")[0].at("mean").at("link_s"), json({0.0, 2.0, 4.0, 6.0}));
  // 150 bytes a round, of two clients, at 50 bytes a second each; and the work, all of which is side by side.
  EXPECT_EQ(data.at("curves")[0].at("mean").at("link_s_2"), json({0.0, 2.0, 4.0, 6.0}));
  EXPECT_EQ(data.at("curves")[0].at("mean").at("f_gap"), json({1.0, 0.5, 0.25, 1e-3}));
  EXPECT_EQ(data.at("targets")[0].at("lines")[0].at("link_s").at("mean"), 6.0);
  const std::vector<ReportFigure> figures = report_figures(runs);
  EXPECT_TRUE(std::ranges::any_of(figures, [](const ReportFigure& f) { return f.name == "f_gap-link_s_2"; }));
}

TEST(Replay, ARecordWithoutClientsOrThreadsIsRejected) {
  const TempFolder folder;
  std::vector<RunFiles> runs = small_runs(folder);
  runs[0].record.erase("threads");
  expect_error<DataError>([&] { replay(runs[0], std::vector{read_link("1ms")}); }, {"threads", "small/run.json"});
  runs[0].record.erase("problem");
  expect_error<DataError>([&] { replay(runs[0], std::vector{read_link("1ms")}); }, {"clients", "small/run.json"});
  EXPECT_TRUE(data_of(runs).at("links").empty());
}

TEST(KeptRows, AreAllOfAShortCurveAndAFewOfALongOne) {
  EXPECT_THAT(kept_rows(3), ElementsAre(0U, 1U, 2U));
  EXPECT_TRUE(kept_rows(0).empty());
  const std::vector<std::size_t> kept = kept_rows(100'000);
  EXPECT_LE(kept.size(), kept_at_most);
  EXPECT_GT(kept.size(), kept_at_most / 2);
  EXPECT_EQ(kept.front(), 0U);
  EXPECT_EQ(kept.back(), 99'999U);
  EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
  EXPECT_EQ(kept[5], 5U);  // the beginning is whole, for a logarithmic axis
}

TEST(PageData, HasTheNumbersOfTheMetricsAndNullWhereThereIsNone) {
  const TempFolder folder;
  const json data = data_of(small_runs(folder));
  EXPECT_EQ(data.at("curves")[0].at("mean").at("f_gap"), json({1.0, 0.5, 0.25, 1e-3}));
  EXPECT_EQ(data.at("curves")[0].at("mean").at("bytes"), json({0, 150, 300, 450}));
  EXPECT_FALSE(data.at("curves")[0].at("mean").contains("dist"));
  EXPECT_EQ(data.at("endings")[0].at("last").at("f_gap"), 1e-3);
  EXPECT_EQ(data.at("endings")[2].at("ended_by"), nullptr);
  EXPECT_EQ(data.at("runs")[0].at("constants").at("L"), 100);
}

TEST(PageData, TargetsComeFromEveryRowAndSayWhoDidNotReachThem) {
  const TempFolder folder;
  const json block = data_of(small_runs(folder)).at("targets")[0];
  EXPECT_EQ(block.at("target"), 1e-2);
  EXPECT_EQ(block.at("lines")[0].at("rounds").at("mean"), 3.0);
  EXPECT_EQ(block.at("lines")[1].at("label"), "fedred-gd (3 seeds)");
  EXPECT_EQ(block.at("lines")[1].at("reached"), 2);
  EXPECT_FALSE(block.at("lines")[1].contains("rounds"));
  EXPECT_EQ(block.at("lines")[2].at("member"), true);
  EXPECT_EQ(block.at("lines")[2].at("grad_evals").at("mean"), 20.0);
}

TEST(PageData, SettingsAreMarkedWhereTheyDiffer) {
  const TempFolder folder;
  const json settings = data_of(small_runs(folder)).at("method_settings");
  EXPECT_EQ(settings.at("names"), json({"gd", "fedred-gd (3 seeds)"}));
  for (const json& line : settings.at("lines")) {
    if (line.at("key") == "step") {
      EXPECT_EQ(line.at("values"), json({"0.1", nullptr}));
      EXPECT_EQ(line.at("same"), false);
    }
    if (line.at("key") == "seed") { EXPECT_EQ(line.at("values"), json({"1", "1, 2, 3"})); }
  }
}

TEST(PageData, SettingsThatNobodyChangedAreLeftOutAndTheoryIsMarked) {
  const TempFolder folder;
  write_small_run(folder);
  std::string config = small_head;
  config.replace(config.find("step = 0.1"), 10, "output = \"last\"\nstep = 0.1  # theory: 1/L_f; constants exact");
  folder.write("small/config.toml", config + "[[method]]\nname = \"fedavg\"\nlabel = \"b\"\nseed = 1\nstep = 0.5\n"
                                             "output = \"last\"\ncompressor = \"identity\"\n");
  folder.write("small/b/metrics.csv", small_csv({small_row(0, 1.0), small_row(1, 0.5)}));
  const json settings = data_of(small_runs(folder)).at("method_settings");
  std::vector<std::string> keys;
  for (const json& line : settings.at("lines")) {
    keys.push_back(line.at("key"));
    if (keys.back() == "step") { EXPECT_EQ(line.at("theory"), json({"1/L_f; constants exact", nullptr})); }
  }
  EXPECT_THAT(keys, testing::UnorderedElementsAre("method", "seed", "step"));
}

TEST(PageData, SettingsOfTheRunThatAreDefaultsAreLeftOut) {
  const TempFolder folder;
  write_small_run(folder);
  folder.write("small/config.toml", std::string(small_head) + "[output]\ndir = \"runs\"\nname = \"a\"\nevery = 2\n");
  const json settings = data_of(small_runs(folder)).at("run_settings");
  std::vector<std::string> keys;
  for (const json& line : settings.at("lines")) keys.push_back(line.at("key"));
  EXPECT_THAT(keys, testing::UnorderedElementsAre("seed", "problem.kind", "problem.dim", "federation.clients",
                                                  "stop.rounds", "output.every"));
}

TEST(PageData, PathsOfTheMachineAreLeftOut) {
  const TempFolder folder;
  write_small_run(folder);
  std::string config = small_head;
  config.replace(config.find("dim = 3"), 7, "dim = 3\ndata = \"/home/someone/sets/rows.svm\"");
  folder.write("small/config.toml", config);
  const std::string data = page_data(small_runs(folder));
  EXPECT_THAT(data, Not(HasSubstr("someone")));
  EXPECT_THAT(data, HasSubstr("rows.svm"));
}

TEST(PageData, CurvesOfAMethodHaveOneLookInAllProblems) {
  const TempFolder folder;
  write_small_run(folder, "a");
  write_small_run(folder, "b");
  std::string other = small_head;
  other.replace(other.find("dim = 3"), 7, "dim = 4");
  folder.write("b/config.toml", other);
  const json data = data_of(small_runs(folder, {"a", "b"}));
  ASSERT_EQ(data.at("curves").size(), 3U);
  EXPECT_EQ(data.at("curves")[0].at("look"), data.at("curves")[2].at("look"));
  EXPECT_EQ(data.at("looks").size(), 2U);
  EXPECT_EQ(data.at("looks")[1].at("dashes"), json({7.0, 3.0}));
  EXPECT_EQ(data.at("first_shown"), "rel_gap");
  EXPECT_EQ(data.at("problems")[1].at("name"), "b");
}

TEST(PageData, TheSplitComesWithCountsAndWithoutRows) {
  const TempFolder folder;
  write_small_run(folder);
  folder.write("small/split.json", R"({"split": "iid", "clients": [{"id": 0, "rows": 2, "labels": {"1": 2},
    "indices": [0, 1]}]})");
  const json split = data_of(small_runs(folder)).at("runs")[0].at("split");
  EXPECT_EQ(split.at("clients")[0].at("labels").at("1"), 2);
  EXPECT_FALSE(split.at("clients")[0].contains("indices"));
}

TEST(PageData, ABoundBelongsToTheColumnThatItsTheoremNames) {
  const TempFolder folder;
  write_small_run(folder);
  folder.write("small/gd/certificate.json", R"({"verdict": "holds", "theorems": [
    {"theorem": "of gradients", "verdict": "holds", "metric": "grad_norm", "rows": {"round": [0, 2], "bound": [9.5, 4.5], "observed": [2, 0.5]}},
    {"theorem": "of a sum", "verdict": "violated", "metric": null, "rows": {"round": [0, 2], "bound": [9.5, 4.5], "observed": [7, 8]}}]})");
  const json data = data_of(small_runs(folder));
  const json bounds = data.at("curves")[0].at("bounds");
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].at("of"), "grad_norm");
  EXPECT_EQ(bounds[0].at("values"), json({9.5, nullptr, 4.5, nullptr}));
  EXPECT_TRUE(data.at("curves")[1].at("bounds").empty());
  const json certificates = data.at("runs")[0].at("certificates");
  ASSERT_EQ(certificates.size(), 2U);
  EXPECT_EQ(certificates[1].at("theorem").at("verdict"), "violated");
  EXPECT_FALSE(certificates[1].at("theorem").contains("rows"));
}

TEST(PageData, EveryMetricThatATheoremNamesIsAColumn) {
  const std::vector<ReportColumn> columns = report_columns({});
  const TheoremFacts facts{.constants = {.clients = 5, .L = 1.0, .L_f = 1.0, .mu = 0.1, .mu_f = 0.1, .delta_A = 0.2},
                           .reference = {},
                           .output = OutputPoint::last};
  std::size_t named = 0;
  for (const MethodEntry& entry : method_catalog())
    for (const Theorem& theorem : theorems_of(entry, entry.demo, facts)) {
      if (theorem.metric.empty()) continue;
      ++named;
      const auto found = std::ranges::find(columns, theorem.metric, &ReportColumn::key);
      ASSERT_NE(found, columns.end()) << theorem.name;
      EXPECT_TRUE(found->reached) << theorem.name;
    }
  EXPECT_GT(named, 0U);
}

TEST(PageData, DecisionsAreThoseOfTheSummaries) {
  const TempFolder folder;
  write_small_run(folder);
  const json decision = json::parse(R"({"chosen": "this", "reason": "it is less", "measured": {"a": 0.5, "b": null}})");
  folder.write("small/gd/summary.json", json{{"decision", decision}}.dump());
  folder.write("small/fedred-gd-1/summary.json", "{}");
  const json data = data_of(small_runs(folder));
  EXPECT_EQ(data.at("runs")[0].at("decisions"), json::array({{{"label", "gd"}, {"decision", decision}}}));
}

TEST(PageData, ARunThatHasNotBegunIsEmpty) {
  const json data = data_of({});
  EXPECT_TRUE(data.at("curves").empty());
  EXPECT_TRUE(data.at("runs").empty());
}

TEST(Page, IsWholeAndAsksForNothingElse) {
  const TempFolder folder;
  const std::string page = report_page(small_runs(folder));
  EXPECT_THAT(page, testing::StartsWith(std::string(page_mark)));
  EXPECT_THAT(page, Not(HasSubstr("/*page.js*/")));
  EXPECT_THAT(page, Not(HasSubstr("/*data*/")));
  EXPECT_THAT(page, Not(HasSubstr(" src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("href=\"http")));
  EXPECT_THAT(page, HasSubstr("Copyright (c)"));  // the licence of what is built in
}

TEST(Page, NamesCannotBreakOutOfTheData) {
  const TempFolder folder;
  std::vector<RunFiles> runs = small_runs(folder);
  const std::string plain = report_page(runs);
  runs[0].name = "</script><script>alert(1)</script><!--";
  const std::string page = report_page(runs);
  const auto scripts = [](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = text.find("<script"); at != std::string::npos; at = text.find("<script", at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(scripts(page), scripts(plain));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
}

}  // namespace
}  // namespace driftless
