#include "driftless/report/line_style.hpp"

#include <cmath>
#include <numbers>

namespace driftless {
namespace {

constexpr std::array<double, 0> solid{};
constexpr std::array<double, 2> dashed{7.0, 3.0};
constexpr std::array<double, 2> dotted{2.0, 2.5};
constexpr std::array<double, 4> dash_dotted{9.0, 3.0, 2.0, 3.0};
constexpr std::array<double, 2> long_dashed{14.0, 4.0};
constexpr std::array<std::span<const double>, 5> dash_patterns{solid, dashed, dotted, dash_dotted, long_dashed};

constexpr std::array<std::string_view, 5> marker_names{"none", "circle", "square", "triangle", "diamond"};
constexpr double marker_radius = 3.4;
constexpr double mark_distance = 70.0;

static_assert(distinct_styles == dash_patterns.size() * marker_names.size());

struct Polygon {
  int corners;
  double turn;  // of the first corner, in half turns
  double radius;
};

// Radii that make the areas about equal.
Polygon polygon_of(Marker marker) {
  switch (marker) {
    case Marker::square: return {4, 0.25, 1.2 * marker_radius};
    case Marker::triangle: return {3, -0.5, 1.4 * marker_radius};
    case Marker::diamond: return {4, 0.0, 1.35 * marker_radius};
    default: return {16, 0.0, marker_radius};
  }
}

double length_between(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

}  // namespace

std::string_view marker_name(Marker marker) { return marker_names.at(static_cast<std::size_t>(marker)); }

LineStyle line_style(std::size_t index) {
  const std::size_t round = index / dash_patterns.size();
  return {.colour = index % line_colours.size(),
          .dashes = dash_patterns.at(index % dash_patterns.size()),
          .marker = static_cast<Marker>(round % marker_names.size())};
}

std::vector<Point> marker_outline(Marker marker, Point center) {
  std::vector<Point> outline;
  if (marker == Marker::none) return outline;
  const Polygon shape = polygon_of(marker);
  for (int k = 0; k < shape.corners; ++k) {
    const double angle = std::numbers::pi * (shape.turn + 2.0 * k / shape.corners);
    outline.push_back({center.x + shape.radius * std::cos(angle), center.y + shape.radius * std::sin(angle)});
  }
  return outline;
}

std::vector<Point> marks_along(std::span<const Point> curve, std::size_t style) {
  std::vector<Point> marks;
  if (curve.empty() || line_style(style).marker == Marker::none) return marks;
  constexpr double steps = 4.0;
  double next = mark_distance * (0.5 + std::fmod(static_cast<double>(style), steps)) / steps;
  double length = 0.0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const Point& a = curve[i - 1];
    const Point& b = curve[i];
    const double step = length_between(a, b);
    for (; step > 0.0 && next <= length + step; next += mark_distance) {
      const double part = (next - length) / step;
      marks.push_back({a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)});
    }
    length += step;
  }
  if (marks.empty()) marks.push_back(curve.back());
  return marks;
}

}  // namespace driftless
