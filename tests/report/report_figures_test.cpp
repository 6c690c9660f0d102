// The figures of a report: which there are, a panel for each problem, and choices.
#include "driftless/report/report_figures.hpp"

#include "driftless/report/curves.hpp"

#include "tests/report/small_run.hpp"
#include "tests/support/expect_error.hpp"

#include <gmock/gmock.h>

namespace driftless {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsSupersetOf;
using testing::Not;

std::vector<RunFiles> runs_of_two_problems(const TempFolder& folder) {
  write_small_run(folder, "a");
  write_small_run(folder, "b");
  std::string other = small_head;
  other.replace(other.find("dim = 3"), 7, "dim = 4");
  folder.write("b/config.toml", other);
  return {read_run(folder / "a"), read_run(folder / "b")};
}

std::vector<RunFiles> one_run(const TempFolder& folder) {
  write_small_run(folder);
  return {read_run(folder / "small")};
}

std::vector<std::string> names_of(const std::vector<ReportFigure>& figures) {
  std::vector<std::string> names;
  for (const ReportFigure& figure : figures) names.push_back(figure.name);
  return names;
}

std::vector<std::string> labels_of(const Panel& panel) {
  std::vector<std::string> labels;
  for (const Series& series : panel.series) labels.push_back(series.label);
  return labels;
}

TEST(ReportFigures, AreThoseOfWhatIsKnown) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = one_run(folder);
  const std::vector<ReportFigure> figures = report_figures(runs);
  EXPECT_THAT(names_of(figures), IsSupersetOf({"f_gap", "f_gap-round", "f_gap-bytes", "rel_gap", "grad_norm"}));
  EXPECT_THAT(names_of(figures), Not(Contains("dist")));
  ASSERT_EQ(figures[0].panels.size(), 3U);
  EXPECT_THAT(labels_of(figures[0].panels[0]), ElementsAre("gd", "fedred-gd (3 seeds)"));
  EXPECT_FALSE(figures[0].panels[0].series[1].low.empty());
}

TEST(ReportFigures, EveryProblemHasItsOwnPanelAndAMethodLooksAlikeInAll) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = runs_of_two_problems(folder);
  const std::vector<ReportFigure> figures = report_figures(runs, {.figures = {"f_gap", "f_gap-round"}, .curves = {}});
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].columns, 3U);
  ASSERT_EQ(figures[0].panels.size(), 6U);
  ASSERT_EQ(figures[1].panels.size(), 2U);
  EXPECT_EQ(figures[1].panels[0].title, "a");
  EXPECT_EQ(figures[1].panels[1].title, "b");
  EXPECT_THAT(labels_of(figures[1].panels[0]), ElementsAre("gd", "fedred-gd (3 seeds)"));
  EXPECT_THAT(labels_of(figures[1].panels[1]), ElementsAre("gd"));
}

TEST(ReportFigures, CurvesAreChosenByTheirLabelsInTheGivenOrder) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = one_run(folder);
  const auto shown = [&](const std::vector<std::string>& labels) {
    return labels_of(report_figures(runs, {.figures = {"f_gap-round"}, .curves = labels}).at(0).panels.at(0));
  };
  EXPECT_THAT(shown({"fedred-gd-2", "gd"}), ElementsAre("fedred-gd (3 seeds)", "gd"));
  EXPECT_THAT(shown({"gd"}), ElementsAre("gd"));
  expect_error<ConfigError>([&] { shown({"gdd"}); }, {"no such curve", "--curves gdd", "did you mean gd?"});
}

TEST(ReportFigures, AProblemWithoutAChosenCurveHasNoPanel) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = runs_of_two_problems(folder);
  const std::vector<ReportFigure> figures =
      report_figures(runs, {.figures = {"f_gap-round"}, .curves = {"fedred-gd-1"}});
  EXPECT_EQ(figures.at(0).panels.size(), 1U);
}

TEST(ReportFigures, AnUnknownFigureIsRejected) {
  const TempFolder folder;
  const std::vector<RunFiles> runs = one_run(folder);
  expect_error<ConfigError>([&] { report_figures(runs, {.figures = {"f_gap-rounds"}, .curves = {}}); },
                            {"no such figure", "--figure f_gap-rounds", "did you mean f_gap-round?"});
}

TEST(ReportFigures, TitlesOfMethodsAreTheLegend) {
  const TempFolder folder;
  write_small_run(folder);
  std::string config = small_head;
  config.replace(config.find("label = \"gd\""), 12, "label = \"gd\"\ntitle = \"Gradient descent, γ = 0.1\"");
  for (int seed = 1; seed <= 3; ++seed)
    config += seed_table("fedred-gd-" + std::to_string(seed), seed) + "title = \"FedRed, λ = 5\"\n";
  folder.write("small/config.toml", config);
  const std::vector<RunFiles> runs{read_run(folder / "small")};
  EXPECT_THAT(curve_names(curves_of(runs)), ElementsAre("Gradient descent, γ = 0.1", "FedRed, λ = 5 (3 seeds)"));
}

TEST(Curves, TheRelativeGapIsShownFirstWhereProblemsAreCompared) {
  const TempFolder folder;
  const std::vector<RunFiles> two = runs_of_two_problems(folder);
  EXPECT_EQ(first_shown(curves_of(two)), "rel_gap");
  EXPECT_EQ(first_shown(curves_of(std::span(two).first(1))), "f_gap");
}

TEST(Curves, TheRelativeGapIsThatOfTheFirstRow) {
  const TempFolder folder;
  write_small_run(folder);
  folder.write("small/gd/metrics.csv", small_csv({small_row(0, 4.0), small_row(1, 1.0), small_row(2, 0.5)}));
  const std::vector<RunFiles> runs{read_run(folder / "small")};
  const std::vector<ReportColumn> columns = report_columns(runs);
  const auto column = std::ranges::find(columns, "rel_gap", &ReportColumn::key) - columns.begin();
  EXPECT_THAT(curves_of(runs)[0].mean[static_cast<std::size_t>(column)], ElementsAre(1.0, 0.25, 0.125));
}

}  // namespace
}  // namespace driftless
