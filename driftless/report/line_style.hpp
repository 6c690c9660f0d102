// How the curves of a report differ: colour, dashes and marks. Figures and page take both from here.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace driftless {

enum class Marker { none, circle, square, triangle, diamond };
std::string_view marker_name(Marker marker);

struct LineStyle {
  std::size_t colour = 0;          // an index into line_colours
  std::span<const double> dashes;  // lengths of dashes and gaps in turn; empty: solid
  Marker marker = Marker::none;
};

// Okabe and Ito's colours, which remain distinct for colour-blind readers; without yellow, which fades on white.
inline constexpr std::array<std::string_view, 7> line_colours{"#0072b2", "#d55e00", "#009e73", "#b0438a",
                                                              "#b87a00", "#333333", "#56a9d9"};
inline constexpr std::array<std::string_view, 7> dark_line_colours{"#4aa8e8", "#ff8a4c", "#3ccb9f", "#e58ac4",
                                                                   "#f0b840", "#e8e8e8", "#9bd5f7"};

// Curves that differ without their colours: dashes and marks repeat after so many.
inline constexpr std::size_t distinct_styles = 25;

LineStyle line_style(std::size_t index);

struct Point {
  double x = 0.0;
  double y = 0.0;
};

// The outline of a mark around this point, in the units of a figure.
std::vector<Point> marker_outline(Marker marker, Point center);

// Where the marks of the curve with this style stand: evenly spaced along its length. Curves of neighbouring styles
// have theirs at other lengths, so that marks of curves that lie on each other can be seen.
std::vector<Point> marks_along(std::span<const Point> curve, std::size_t style);

}  // namespace driftless
