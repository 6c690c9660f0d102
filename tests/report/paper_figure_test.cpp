// Figures for papers: line styles that differ in print, PDF, and sizes.
#include "driftless/report/canvas.hpp"
#include "driftless/report/figure.hpp"
#include "driftless/report/pdf_text.hpp"

#include "tests/support/expect_error.hpp"

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <regex>
#include <set>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Panel panel_of(std::size_t curves) {
  Panel panel{.title = "", .x_title = "rounds", .y_title = "f(x) − f*", .series = {}};
  for (std::size_t c = 0; c < curves; ++c) {
    Series series{.label = "method " + std::to_string(c), .x = {}, .y = {}, .low = {}, .high = {}};
    for (int k = 0; k <= 30; ++k) {
      series.x.push_back(k);
      series.y.push_back(std::pow(0.3 + 0.05 * static_cast<double>(c), k));
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

TEST(LineStyle, DiffersWithoutColourForAsManyCurvesAsItSays) {
  std::set<std::pair<std::vector<double>, Marker>> looks;
  for (std::size_t i = 0; i < distinct_styles; ++i) {
    const LineStyle style = line_style(i);
    looks.emplace(std::vector<double>(style.dashes.begin(), style.dashes.end()), style.marker);
  }
  EXPECT_EQ(looks.size(), distinct_styles);
  EXPECT_GE(distinct_styles, 10U);
}

TEST(LineStyle, MarksStandOnTheCurveAndNotAllAtTheSameLength) {
  const std::vector<Point> line{{0.0, 5.0}, {100.0, 5.0}, {300.0, 5.0}};
  const std::vector<Point> circles = marks_along(line, 5);
  ASSERT_GE(circles.size(), 3U);
  for (const Point& mark : circles) EXPECT_EQ(mark.y, 5.0);
  EXPECT_NEAR(circles[1].x - circles[0].x, circles[2].x - circles[1].x, 1e-9);
  EXPECT_NE(circles[0].x, marks_along(line, 6)[0].x);
  EXPECT_TRUE(marks_along(line, 0).empty());
  EXPECT_EQ(marks_along(std::vector<Point>{{1.0, 2.0}}, 5).size(), 1U);
}

// A line of the legend is a curve without a title; its mark follows it.
TEST(Figure, TenCurvesHaveTenStylesThatDifferWithoutColour) {
  const std::string svg = figure_svg(std::vector<Panel>{panel_of(10)});
  const std::regex entry(
      R"re(class="curve c\d"( stroke-dasharray="[^"]*")? d="[^"]*"></path>\n(<path class="mark b\d ([a-z]+)")?)re");
  std::vector<std::string> looks;
  for (std::sregex_iterator at(svg.begin(), svg.end(), entry), end; at != end; ++at)
    looks.push_back((*at)[1].str() + "/" + (*at)[3].str());
  EXPECT_EQ(looks.size(), 10U);
  EXPECT_EQ(std::set<std::string>(looks.begin(), looks.end()).size(), 10U);
}

TEST(FigurePdf, IsAFileWhoseTableFindsItsObjects) {
  const std::string pdf = figure_pdf(std::vector<Panel>{panel_of(7)});
  EXPECT_THAT(pdf, StartsWith(pdf_figure_mark));
  const std::size_t table = std::stoul(matches(pdf, "startxref\n([0-9]+)\n%%EOF")[0]);
  EXPECT_EQ(pdf.substr(table, 5), "xref\n");
  const std::vector<std::string> offsets = matches(pdf.substr(table), "([0-9]{10}) 00000 n");
  ASSERT_EQ(offsets.size(), 8U);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    EXPECT_THAT(pdf.substr(std::stoul(offsets[i]), 12), StartsWith(std::to_string(i + 1) + " 0 obj"));
  const std::size_t length = std::stoul(matches(pdf, "/Length ([0-9]+)")[0]);
  const std::size_t begin = pdf.find("stream\n") + 7;
  EXPECT_EQ(pdf.substr(begin + length, 10), "\nendstream");
}

TEST(FigurePdf, GivesTheSameBytesForTheSameInput) {
  const std::vector<Panel> panels{panel_of(3)};
  EXPECT_EQ(figure_pdf(panels), figure_pdf(panels));
}

TEST(FigurePdf, HasDashesMarksAndBands) {
  Panel panel = panel_of(6);
  EXPECT_THAT(figure_pdf(std::vector<Panel>{panel}), Not(HasSubstr("/Band gs")));
  panel.series[0].low = panel.series[0].high = panel.series[0].y;
  const std::string pdf = figure_pdf(std::vector<Panel>{panel});
  EXPECT_THAT(pdf, HasSubstr("/Band gs"));
  EXPECT_THAT(pdf, HasSubstr("[7 3] 0 d"));
  EXPECT_THAT(pdf, HasSubstr("rg\n"));
}

TEST(FigurePdf, GreekAndMathematicsAreInTheSymbolFont) {
  Panel panel = panel_of(1);
  panel.series[0].label = "FedRed, λ = 0.02 (a)";
  const std::string pdf = figure_pdf(std::vector<Panel>{panel});
  EXPECT_THAT(pdf, HasSubstr("(FedRed, ) Tj"));
  EXPECT_THAT(pdf, HasSubstr("/Symbol 12.00 Tf 0.00 Ts (l) Tj"));
  EXPECT_THAT(pdf, HasSubstr("( = 0.02 \\(a\\)) Tj"));
}

TEST(PdfText, KnowsWidthsGreekRaisedDigitsAndWhatItCannotShow) {
  EXPECT_NEAR(pdf_width("gd"), 1.112, 1e-12);
  const std::vector<PdfRun> runs = pdf_runs("x⁰ ≤ ‖é‖語");
  ASSERT_EQ(runs.size(), 5U);
  EXPECT_EQ(runs[1].bytes, "0");
  EXPECT_GT(runs[1].rise, 0.0);
  EXPECT_LT(runs[1].scale, 1.0);
  EXPECT_EQ(runs[3].font, PdfFont::symbol);
  EXPECT_EQ(runs[3].bytes, "\xA3");
  EXPECT_EQ(runs[4].bytes, " ||\xE9||?");
  EXPECT_EQ(pdf_runs("\xC3")[0].bytes, "?");
}

TEST(FigureSize, IsTheSizeOfThePageAndOfTheDrawing) {
  const std::vector<Panel> panels{panel_of(2)};
  const FigureLayout layout{.columns = 1, .size = {.width = read_length("85mm", "--width"), .height = 200.0}};
  EXPECT_THAT(figure_pdf(panels, layout), HasSubstr("/MediaBox [0 0 240.945 200.000]"));
  EXPECT_THAT(figure_svg(panels, layout), HasSubstr("width=\"240.94pt\" height=\"200.00pt\""));
}

TEST(FigureSize, PanelsThatWouldBeTooNarrowStandBelowEachOther) {
  const std::vector<Panel> panels{panel_of(1), panel_of(1), panel_of(1)};
  const auto origins = [&](double width) {
    return matches(figure_svg(panels, {.columns = 3, .size = {.width = width, .height = {}}}),
                   R"re(translate\(([^ ]+) )re");
  };
  EXPECT_THAT(origins(480.0), ElementsAre("0", "240", "480"));
  EXPECT_THAT(origins(150.0), ElementsAre("0", "0", "0"));
}

TEST(FigureSize, WhatDoesNotFitIsRejected) {
  const std::vector<Panel> panels{panel_of(1)};
  expect_error<ConfigError>([&] { figure_svg(panels, {.columns = 1, .size = {.width = 60.0, .height = {}}}); },
                            {"too narrow", "21.17 mm", "--width"});
  expect_error<ConfigError>([&] { figure_pdf(panels, {.columns = 1, .size = {.width = 200.0, .height = 60.0}}); },
                            {"too low", "--height"});
}

TEST(FigureLength, IsReadWithItsUnit) {
  EXPECT_NEAR(read_length("1in", "--width"), 72.0, 1e-12);
  EXPECT_NEAR(read_length("2.54 cm", "--width"), 72.0, 1e-9);
  EXPECT_NEAR(read_length("100pt", "--width"), 100.0, 1e-12);
  for (const char* bad : {"85", "mm", "", "85 px", "-3in", "1mm", "9m", "nan mm", "1e9mm"})
    expect_error<ConfigError>([&] { read_length(bad, "--width"); }, {"--width", "85mm"});
}

}  // namespace
}  // namespace driftless
