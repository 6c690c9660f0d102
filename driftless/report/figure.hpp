// Figures for papers: curves in panels side by side as one SVG. The same input gives the same bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// A curve; x does not decrease. What cannot be shown (not finite, or not positive on a logarithmic axis) is left out.
struct Series {
  std::string label;  // curves of one label look alike in all panels and share a line of the legend
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> low;  // a band from low to high around the curve; both empty: none
  std::vector<double> high;
};

struct Panel {
  std::string title;
  std::string x_title;
  std::string y_title;
  bool log_x = false;
  bool log_y = true;
  std::vector<Series> series;
};

// Curves differ in colour and in dashes, so that they can be told apart in black and white and by anybody's eyes; dark
// where the reader's system is dark. At most max_points points of a curve are drawn, with the peaks kept.
std::string figure_svg(std::span<const Panel> panels);

// Every figure begins with this.
inline constexpr std::string_view figure_mark = "<svg class=\"driftless-figure\"";

inline constexpr std::size_t max_points = 1000;

// The indices that are drawn of a curve at these positions (0 … 1, not decreasing), in order: the first, the last, and
// the least and greatest of every narrow strip between.
std::vector<std::size_t> drawn_points(const std::vector<double>& positions, const std::vector<double>& y);

}  // namespace driftless
