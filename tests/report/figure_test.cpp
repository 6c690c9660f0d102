// The SVG writer: well formed, deterministic, and it draws what it is given.
#include "driftless/report/figure.hpp"

#include "driftless/report/axis.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// The elements that are open at the end of the text; "broken" if one is closed that is not open.
std::vector<std::string> open_elements(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return {"broken"};
    const bool closes = text[at + 1] == '/';
    const std::string name = text.substr(at + 1 + closes, text.find_first_of(" >/", at + 2) - at - 1 - closes);
    if (text[end - 1] == '/') continue;
    if (!closes) open.push_back(name);
    else if (open.empty() || open.back() != name) return {"broken"};
    else open.pop_back();
  }
  return open;
}

Panel decay(const std::string& label) {
  Series series{.label = label, .x = {}, .y = {}, .low = {}, .high = {}};
  for (int k = 0; k <= 20; ++k) {
    series.x.push_back(k);
    series.y.push_back(std::pow(0.5, k));
  }
  return {.title = "decay", .x_title = "rounds", .y_title = "gap", .series = {series}};
}

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> list;
  for (const Tick& tick : ticks) list.push_back(tick.text + (tick.exponent.empty() ? "" : "^" + tick.exponent));
  return list;
}

TEST(Figure, IsClosedMarkupWithOneCurvePerSeries) {
  const std::vector<Panel> panels{decay("a"), decay("b")};
  const std::string svg = figure_svg(panels);
  EXPECT_THAT(open_elements(svg), ElementsAre());
  EXPECT_EQ(count(svg, "<title>a</title>"), 1U);
  EXPECT_EQ(count(svg, "<title>b</title>"), 1U);
  EXPECT_EQ(count(svg, "<g "), 2U);
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
}

TEST(Figure, GivesTheSameBytesForTheSameInput) {
  const std::vector<Panel> panels{decay("a")};
  EXPECT_EQ(figure_svg(panels), figure_svg(panels));
}

TEST(Figure, CurvesOfOneLabelLookAlikeAndShareTheLegend) {
  const std::vector<Panel> panels{decay("shared"), decay("shared")};
  const std::string svg = figure_svg(panels);
  EXPECT_EQ(count(svg, "class=\"curve c0\""), 3U);  // two curves and the legend
  EXPECT_EQ(count(svg, ">shared</text>"), 1U);
}

TEST(Figure, CurvesDifferInColourAndInDashes) {
  Panel panel = decay("a");
  panel.series.push_back(panel.series.front());
  panel.series.back().label = "b";
  const std::string svg = figure_svg(std::vector<Panel>{panel});
  EXPECT_THAT(svg, HasSubstr("class=\"curve c0\" d="));
  EXPECT_THAT(svg, HasSubstr("class=\"curve c1\" stroke-dasharray="));
}

TEST(Figure, TextIsEscaped) {
  Panel panel = decay("a < b & \"c\"");
  panel.title = "</svg>";
  const std::string svg = figure_svg(std::vector<Panel>{panel});
  EXPECT_THAT(open_elements(svg), ElementsAre());
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_EQ(count(svg, "</svg>"), 1U);
}

TEST(Figure, WhatALogarithmicAxisCannotShowIsLeftOut) {
  Panel panel = decay("a");
  panel.series[0].y = {1.0, 0.0, -1.0, std::nan(""), 0.5};
  panel.series[0].x = {0.0, 1.0, 2.0, 3.0, 4.0};
  const std::string svg = figure_svg(std::vector<Panel>{panel});
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  // Down from the upper left corner to the lower right one in one stroke.
  EXPECT_THAT(svg, HasSubstr("d=\"M62.00 30.00L364.00 254.00\""));
}

TEST(Figure, ABandIsDrawnWhereThereIsOne) {
  Panel panel = decay("a");
  EXPECT_THAT(figure_svg(std::vector<Panel>{panel}), Not(HasSubstr("class=\"band")));
  panel.series[0].low = panel.series[0].y;
  panel.series[0].high = panel.series[0].y;
  EXPECT_EQ(count(figure_svg(std::vector<Panel>{panel}), "class=\"band"), 1U);
}

TEST(Figure, EmptyPanelsHaveAFrameOnly) {
  const std::vector<Panel> panels{{.title = "nothing yet", .x_title = "", .y_title = "", .series = {}}};
  const std::string svg = figure_svg(panels);
  EXPECT_THAT(open_elements(svg), ElementsAre());
  EXPECT_THAT(svg, Not(HasSubstr("class=\"curve")));
}

TEST(DrawnPoints, KeepsEndsAndPeaksAndAtMostTheLimit) {
  constexpr std::size_t n = 50'000;
  std::vector<double> positions(n);
  std::vector<double> y(n);
  for (std::size_t i = 0; i < n; ++i) {
    positions[i] = static_cast<double>(i) / static_cast<double>(n - 1);
    y[i] = std::sin(0.1 * static_cast<double>(i));
  }
  y[12'345] = 7.0;
  const std::vector<std::size_t> drawn = drawn_points(positions, y);
  EXPECT_LE(drawn.size(), max_points);
  EXPECT_GT(drawn.size(), max_points / 2);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_EQ(drawn.front(), 0U);
  EXPECT_EQ(drawn.back(), n - 1);
  EXPECT_THAT(drawn, testing::Contains(12'345U));
}

TEST(DrawnPoints, KeepsAShortCurveWhole) {
  EXPECT_THAT(drawn_points({0.0, 0.5, 1.0}, {3.0, 2.0, 1.0}), ElementsAre(0U, 1U, 2U));
}

TEST(Axis, LinearTicksAreRoundNumbers) {
  EXPECT_THAT(texts(Axis(false, {0.0, 610.0}).ticks()), ElementsAre("0", "200", "400", "600"));
  EXPECT_THAT(texts(Axis(false, {0.0, 5e7}).ticks()), ElementsAre("0", "10M", "20M", "30M", "40M", "50M"));
}

TEST(Axis, LogarithmicTicksArePowersOfTenOrFinerWhereTheRangeIsShort) {
  EXPECT_THAT(texts(Axis(true, {1e-3, 1.0}).ticks()), ElementsAre("10^−3", "10^−2", "10^−1", "10^0"));
  EXPECT_LE(Axis(true, {1e-30, 1e30}).ticks().size(), 8U);
  EXPECT_THAT(texts(Axis(true, {1.0, 20.0}).ticks()), ElementsAre("1", "2", "5", "10", "20"));
}

TEST(Axis, AlwaysHasARange) {
  for (const bool log : {false, true}) {
    const Axis nothing(log, {});
    EXPECT_LT(nothing.least(), nothing.most());
    const Axis one(log, {5.0});
    EXPECT_NEAR(one.fraction(5.0), 0.5, 1e-12);
    const Axis bad(log, {std::nan(""), std::numeric_limits<double>::infinity()});
    EXPECT_LT(bad.least(), bad.most());
  }
}

}  // namespace
}  // namespace driftless
