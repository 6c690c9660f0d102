// Figures for papers: curves in panels as one SVG or PDF. The same input gives the same bytes.
#pragma once

#include <optional>
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
  std::vector<std::string> rows = {};  // names of the heights 0, −1, −2, …, in place of numbers; empty: numbers
};

// The size on paper, in points of 1/72 inch. With a width, letters have 8 points and panels that would be too narrow
// are placed below each other.
struct FigureSize {
  std::optional<double> width;
  std::optional<double> height;
};

// "85mm", "8.5cm", "3.35in" or "241pt", in points. ConfigError, which names the flag, for anything else and for less
// than 1 cm or more than 2 m.
double read_length(const std::string& text, const std::string& flag);

struct FigureLayout {
  std::size_t columns = 0;  // panels side by side; 0: all
  FigureSize size;
};

// Curves differ in colour, and in dashes and marks, so that they can be told apart in black and white and by anybody's
// eyes. An SVG is dark where the reader's system is dark; a PDF uses the standard fonts, which it does not hold. At
// most max_points points of a curve are drawn, with the peaks kept. ConfigError if the panels do not fit into the size.
std::string figure_svg(std::span<const Panel> panels, const FigureLayout& layout = {});
std::string figure_pdf(std::span<const Panel> panels, const FigureLayout& layout = {});

// Every figure begins with one of these.
inline constexpr std::string_view figure_mark = "<svg class=\"driftless-figure\"";
inline constexpr std::string_view pdf_figure_mark = "%PDF-1.4\n% driftless figure\n";

inline constexpr std::size_t max_points = 1000;

// The indices that are drawn of a curve at these positions (0 … 1, not decreasing), in order: the first, the last, and
// the least and greatest of every narrow strip between.
std::vector<std::size_t> drawn_points(const std::vector<double>& positions, const std::vector<double>& y);

}  // namespace driftless
