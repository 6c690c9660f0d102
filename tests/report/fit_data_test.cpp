// What the page and the figures take from the files of a fitted model of tables.
#include "driftless/report/fit_data.hpp"

#include "driftless/core/text.hpp"
#include "driftless/report/page.hpp"
#include "driftless/report/page_data.hpp"
#include "driftless/report/report_figures.hpp"
#include "driftless/results/fitted_model.hpp"

#include "tests/report/fitted_run.hpp"
#include "tests/support/expect_error.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace driftless {
namespace {

using FitJson = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FitData : public testing::Test {
 protected:
  FitJson data() const { return FitJson::parse(page_data(std::vector{read_run(folder_ / "fitted")})); }
  FitJson fit() const { return data().at("runs").at(0).at("fits").at(0); }
  std::vector<ReportFigure> figures(const FigureChoice& choice = {}) const {
    return report_figures(std::vector{read_run(folder_ / "fitted")}, choice);
  }

  const TempFolder folder_;
};

std::vector<std::string> labels_in(const ReportFigure& figure) {
  std::vector<std::string> labels;
  for (const Series& series : figure.panels.at(0).series) labels.push_back(series.label);
  return labels;
}

const ReportFigure& figure_named(const std::vector<ReportFigure>& figures, const std::string& name) {
  const auto found = std::ranges::find(figures, name, &ReportFigure::name);
  if (found == figures.end()) throw std::logic_error("no figure " + name);
  return *found;
}

TEST_F(FitData, ARunWithoutModelsHasNone) {
  write_small_run(folder_, "fitted");
  EXPECT_TRUE(data().at("runs").at(0).at("fits").empty());
  for (const ReportFigure& figure : figures()) EXPECT_NE(figure.name, "roc");
}

TEST_F(FitData, SaysWhatTheModelIs) {
  write_fitted_run(folder_);
  const FitJson shown = fit();
  EXPECT_EQ(shown.at("method"), "gd");
  EXPECT_EQ(shown.at("family"), "logistic");
  EXPECT_EQ(shown.at("ratio"), "odds ratio");
  EXPECT_EQ(shown.at("label"), "ill");
  EXPECT_EQ(shown.at("classes"), FitJson({"no", "yes"}));
  EXPECT_EQ(shown.at("rows"), 1234);
  EXPECT_EQ(shown.at("columns"), 5);
  EXPECT_EQ(shown.at("l2"), 1e-3);
  EXPECT_EQ(shown.at("inference").at("aic"), 915.5);
  EXPECT_EQ(shown.at("inference").at("log_likelihood"), nullptr);
  EXPECT_EQ(shown.at("inference").at("notes"), FitJson({"There are few sites."}));
}

TEST_F(FitData, IntervalsOfEverySourceAreThoseOfTheSummary) {
  write_fitted_run(folder_);
  const FitJson coefficients = fit().at("coefficients");
  const Inference inference = sample_inference(sample_model());
  EXPECT_EQ(coefficients.at("names"), FitJson(inference.names));
  EXPECT_EQ(coefficients.at("constant").at(0), true);
  EXPECT_EQ(coefficients.at("constant").at(1), false);
  ASSERT_EQ(coefficients.at("errors").size(), 2U);
  for (const auto& [index, source, test] :
       {std::tuple{0U, ErrorSource::model, "z"}, std::tuple{1U, ErrorSource::site, "t"}}) {
    const FitJson& errors = coefficients.at("errors").at(index);
    EXPECT_EQ(errors.at("source"), std::string(enum_name(source)));
    EXPECT_EQ(errors.at("test"), test);
    const std::vector<CoefficientLine> lines = coefficient_lines(inference, source, 0.95);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      EXPECT_EQ(errors.at("low").at(k), lines[k].low);
      EXPECT_EQ(errors.at("high").at(k), lines[k].high);
      EXPECT_EQ(errors.at("p").at(k), lines[k].p);
    }
  }
}

TEST_F(FitData, StepsOfCodedVariablesUndoTheScaleOfTheirColumns) {
  write_fitted_run(folder_);
  const FitJson coefficients = fit().at("coefficients");
  ASSERT_EQ(coefficients.at("names").at(1), "age");
  EXPECT_NEAR(coefficients.at("step").at(1), 9.7, 1e-12);
  ASSERT_EQ(coefficients.at("names").at(3), "sex=m");
  EXPECT_NEAR(coefficients.at("step").at(3), 1.0, 1e-12);
}

TEST_F(FitData, ErrorsThatTheRowsDoNotDetermineAreNull) {
  write_fitted_run(folder_);
  Inference inference = sample_inference(sample_model());
  inference.errors[0]->error[2] = unknown_value;
  inference.coded_error[2] = unknown_value;
  folder_.write("fitted/gd/inference.json", inference_json(inference));
  const FitJson coefficients = fit().at("coefficients");
  for (const char* key : {"error", "p", "low", "high"})
    EXPECT_EQ(coefficients.at("errors").at(0).at(key).at(2), nullptr) << key;
  EXPECT_TRUE(coefficients.at("estimate").at(2).is_number());
  EXPECT_TRUE(coefficients.at("step").at(2).is_number());
}

TEST_F(FitData, WithoutErrorsTheLargestCodedCoefficientsAreShown) {
  GlmModel model = sample_model();
  model.coding.columns = {{.name = "town", .role = ColumnRole::categorical, .levels = {}}};
  for (int level = 0; level < 3000; ++level) model.coding.columns[0].levels.push_back("T" + std::to_string(level));
  model.coefficients = Vector::Zero(3000);
  model.coefficients[1700] = -4.0;
  model.coefficients[5] = 3.0;
  write_fitted_run(folder_);
  folder_.write("fitted/gd/model.json", model_json(model));
  std::filesystem::remove(folder_ / "fitted/gd/inference.json");
  const FitJson shown = fit();
  EXPECT_EQ(shown.at("inference"), nullptr);
  const FitJson& coefficients = shown.at("coefficients");
  EXPECT_EQ(coefficients.at("coded"), true);
  EXPECT_EQ(coefficients.at("count"), 3000);
  EXPECT_EQ(coefficients.at("names").size(), most_shown_coefficients);
  EXPECT_EQ(coefficients.at("names").at(0), "town=T1701");
  EXPECT_EQ(coefficients.at("estimate").at(0), -4.0);
  EXPECT_EQ(coefficients.at("names").at(1), "town=T6");
  EXPECT_TRUE(coefficients.at("errors").empty());
}

TEST_F(FitData, EvaluationAndSuppressedSitesAreThoseOfTheFile) {
  write_fitted_run(folder_);
  EXPECT_EQ(fit().at("evaluation"), FitJson::parse(sample_evaluation));
  EXPECT_EQ(fit().at("evaluation").at("sites").at(1).at("shown"), false);
}

TEST_F(FitData, ThePathBeginsWithTheSmallestPenalty) {
  write_fitted_run(folder_);
  const FitJson path = fit().at("path");
  EXPECT_EQ(path.at("l2"), FitJson({0.001, 0.01, 0.1, 1.0}));
  EXPECT_EQ(path.at("loss"), FitJson({nullptr, 0.5, 0.52, 0.9}));
  EXPECT_EQ(path.at("least"), 1);
  EXPECT_EQ(path.at("chosen"), 2);
  EXPECT_EQ(path.at("rule"), "1se");
  std::filesystem::remove(folder_ / "fitted/gd/penalty_path.json");
  EXPECT_EQ(fit().at("path"), nullptr);
}

TEST_F(FitData, ATextFromATableCannotBreakOutOfThePage) {
  GlmModel model = sample_model();
  model.coding.columns[1].levels[1] = "</script><script>alert(1)</script>";
  write_fitted_run(folder_, "fitted", model);
  const std::string page = report_page(std::vector{read_run(folder_ / "fitted")});
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, HasSubstr("sex=\\u003c/script>\\u003cscript>alert(1)"));
}

// A text of a file that is replaced, and what the message names.
struct FitDamage {
  std::string file;
  std::string before;
  std::string after;
  std::string named;
};

TEST_F(FitData, DamagedFilesAreNamed) {
  const std::vector<FitDamage> damages{
      {"evaluation.json", "\"loss\": 0.5,", "\"loss\": \"x\",", "loss"},
      {"evaluation.json", "[0.25, 0.6, 0.5]", "[0.25, 0.6]", "roc"},
      {"evaluation.json", "[0.25, 0.6, 0.5]", "[0.25, 0.6, [1]]", "roc"},
      {"evaluation.json", "\"predicted\": 0.05", "\"expected\": 0.05", "calibration"},
      {"evaluation.json", "[[15.0, 5.0], [4.0, 6.0]]", "[[15.0, 5.0]]", "weights"},
      {"evaluation.json", "[[15.0, 5.0], [4.0, 6.0]]", "[[15.0], [4.0]]", "weights"},
      {"evaluation.json", "\"shown\": true", "\"shown\": 1", "sites"},
      {"evaluation.json", "\"train\"", "\"fitted\"", "train"},
      {"evaluation.json", "\"schema_version\": 1", "\"schema_version\": 2", "schema_version"},
      {"penalty_path.json", "\"chosen\": 1", "\"chosen\": 4", "chosen"},
      {"penalty_path.json", "\"rule\": \"1se\"", "\"rule\": \"2se\"", "rule"},
      {"penalty_path.json", "\"l2\": 0.01,", "", "l2"},
      {"model.json", "\"l2\": 0.001", "\"l2\": -1", "l2"},
      {"inference.json", "\"sites\": 3", "\"sites\": []", "sites"},
  };
  for (const FitDamage& damage : damages) {
    SCOPED_TRACE(damage.file + ": " + damage.after);
    write_fitted_run(folder_);
    std::string text = TempFolder::read(folder_ / ("fitted/gd/" + damage.file));
    const std::size_t at = text.find(damage.before);
    ASSERT_NE(at, std::string::npos);
    folder_.write("fitted/gd/" + damage.file, text.replace(at, damage.before.size(), damage.after));
    expect_error<DataError>([&] { (void)read_run(folder_ / "fitted"); }, {damage.file, damage.named});
  }
}

TEST_F(FitData, FiguresForPapersAreRocCalibrationAndPath) {
  write_fitted_run(folder_);
  const std::vector<ReportFigure> all = figures();
  const ReportFigure& roc = figure_named(all, "roc");
  EXPECT_THAT(labels_in(roc), ElementsAre("fitted rows", "test rows", "no better than chance"));
  EXPECT_THAT(roc.panels[0].series[0].x, ElementsAre(0.0, 0.25, 1.0));
  EXPECT_THAT(roc.panels[0].series[0].y, ElementsAre(0.0, 0.6, 1.0));
  const ReportFigure& calibration = figure_named(all, "calibration");
  EXPECT_THAT(labels_in(calibration), ElementsAre("fitted rows", "perfect"));
  EXPECT_THAT(calibration.panels[0].series[0].x, ElementsAre(0.05, 0.25));  // bins without rows are left out
  const Panel& path = figure_named(all, "penalty_path").panels[0];
  EXPECT_TRUE(path.log_x);
  EXPECT_THAT(labels_in(figure_named(all, "penalty_path")), ElementsAre("mean over folds", "chosen", "least"));
  EXPECT_DOUBLE_EQ(path.series[0].low[1], 0.47);
  EXPECT_THAT(path.series[1].x, ElementsAre(0.1, 0.1));
  EXPECT_THAT(path.series[1].y, ElementsAre(testing::DoubleEq(0.47), testing::DoubleEq(0.95)));
  for (const ReportFigure& figure : {roc, calibration, figure_named(all, "penalty_path")})
    EXPECT_THAT(figure_svg(figure.panels), HasSubstr("</svg>"));
}

TEST_F(FitData, AForestPlotHasARowForEachCoefficientButTheConstant) {
  write_fitted_run(folder_);
  const std::vector<ReportFigure> all = figures();
  const Panel& panel = figure_named(all, "coefficients").panels.at(0);
  const Inference inference = sample_inference(sample_model());
  EXPECT_EQ(panel.rows, std::vector(inference.names.begin() + 1, inference.names.end()));
  EXPECT_TRUE(panel.log_x);
  EXPECT_EQ(panel.x_title, "odds ratio");
  const CoefficientLine line = coefficient_lines(inference, ErrorSource::model, 0.95).at(2);
  EXPECT_THAT(panel.series[2].x, ElementsAre(std::exp(line.low), std::exp(line.high)));
  EXPECT_THAT(panel.series[2].y, ElementsAre(-1.0, -1.0));
  EXPECT_THAT(panel.series[3].x, ElementsAre(std::exp(line.estimate), std::exp(line.estimate)));
  const std::string svg = figure_svg(figure_named(all, "coefficients").panels);
  for (const char* name : {">age<", ">sex=m<", "95 % interval", "no effect"}) EXPECT_THAT(svg, HasSubstr(name));
}

TEST_F(FitData, AForestPlotOfManyCoefficientsHasTheMostCertain) {
  GlmModel model = sample_model();
  model.coding.columns = {{.name = "town", .role = ColumnRole::categorical, .levels = {}}};
  for (int level = 0; level < 101; ++level) model.coding.columns[0].levels.push_back("T" + std::to_string(level));
  model.coefficients = Vector::Ones(101);
  Inference inference = sample_inference(model);
  for (Index k = 0; k < 101; ++k)
    inference.errors[0]->error[k] = k % 2 == 0 ? 0.1 : 0.2 + 0.001 * static_cast<double>(k);
  write_fitted_run(folder_);
  folder_.write("fitted/gd/model.json", model_json(model));
  folder_.write("fitted/gd/inference.json", inference_json(inference));
  const std::vector<std::string> rows = figure_named(figures(), "coefficients").panels.at(0).rows;
  ASSERT_EQ(rows.size(), 60U);
  EXPECT_EQ(rows[0], "town=T1");
  EXPECT_EQ(rows[1], "town=T2");
  EXPECT_EQ(rows.back(), "town=T100");
  EXPECT_THAT(rows, Not(testing::Contains("town=T99")));
}

TEST_F(FitData, FiguresAreThoseOfTheChosenMethods) {
  write_fitted_run(folder_);
  std::filesystem::copy(folder_ / "fitted/gd/model.json", folder_ / "fitted/fedred-gd-1/model.json");
  std::filesystem::copy(folder_ / "fitted/gd/evaluation.json", folder_ / "fitted/fedred-gd-1/evaluation.json");
  const std::vector<ReportFigure> both = figures({.figures = {"roc"}, .curves = {}});
  ASSERT_EQ(both.size(), 1U);
  EXPECT_THAT(labels_in(both[0]), ElementsAre("gd, fitted rows", "gd, test rows", "fedred-gd-1, fitted rows",
                                              "fedred-gd-1, test rows", "no better than chance"));
  const std::vector<ReportFigure> one = figures({.figures = {"roc"}, .curves = {"gd"}});
  EXPECT_THAT(labels_in(one.at(0)), ElementsAre("fitted rows", "test rows", "no better than chance"));
}

}  // namespace
}  // namespace driftless
