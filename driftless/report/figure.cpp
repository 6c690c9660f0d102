#include "driftless/report/figure.hpp"

#include "driftless/core/error.hpp"
#include "driftless/report/axis.hpp"
#include "driftless/report/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double usual_width = 380.0;  // of a panel with its axes
constexpr double usual_height = 300.0;
constexpr double narrow_width = 180.0;  // the least of a panel
constexpr double low_height = 140.0;
constexpr double left = 62.0;
constexpr double most_left = 0.4;  // of the width of a panel, for the names of rows
constexpr double row_height = 15.0;
constexpr double right = 16.0;
constexpr double top = 30.0;
constexpr double bottom = 46.0;
constexpr double legend_row = 20.0;
constexpr double legend_line = 34.0;
constexpr double legend_gap = 8.0;
constexpr double letter_size = 12.0;
constexpr double title_size = 13.0;
constexpr double printed_letter_size = 8.0;  // in points, where a figure has a width
// Letters are at most this wide on average in common sans-serif fonts of size 12.
constexpr double letter_width = 7.2;

// The labels of all panels in the order in which they appear; the index in this list decides how a curve looks.
std::vector<std::string> labels_of(std::span<const Panel> panels) {
  std::vector<std::string> labels;
  for (const Panel& panel : panels)
    for (const Series& series : panel.series)
      if (std::ranges::find(labels, series.label) == labels.end()) labels.push_back(series.label);
  return labels;
}

std::vector<double> all_values(const Panel& panel, std::initializer_list<std::vector<double> Series::*> members) {
  std::vector<double> values;
  for (const Series& series : panel.series)
    for (const auto member : members) values.insert(values.end(), (series.*member).begin(), (series.*member).end());
  return values;
}

// Lines beside names end before the frame, or they would seem to be cut.
std::vector<double> positions(const Panel& panel) {
  std::vector<double> values = all_values(panel, {&Series::x});
  if (panel.rows.empty()) return values;
  const Axis tight(panel.log_x, values);
  constexpr double margin = 0.04;
  const double part =
      panel.log_x ? std::pow(tight.most() / tight.least(), margin) : margin * (tight.most() - tight.least());
  values.push_back(panel.log_x ? tight.least() / part : tight.least() - part);
  values.push_back(panel.log_x ? tight.most() * part : tight.most() + part);
  return values;
}

double text_width(const std::string& text) {
  const auto letters =
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return letter_width * static_cast<double>(letters);
}

// The size of letters at which the text fits.
double fitting(const std::string& text, double size, double room) {
  const double width = text_width(text) * size / letter_size;
  return width > room ? size * room / width : size;
}

struct PanelSize {
  double width = usual_width;
  double height = usual_height;
  double left = driftless::left;  // of its frame

  double plot_width() const { return width - left - right; }
  double plot_height() const { return height - top - bottom; }
};

// Draws one panel whose upper left corner is the origin.
class PanelPainter {
 public:
  PanelPainter(const Panel& panel, const PanelSize& size, Canvas& canvas)
      : panel_(panel),
        size_(size),
        canvas_(canvas),
        x_(panel.log_x, positions(panel)),
        y_(panel.log_y, all_values(panel, {&Series::y, &Series::low, &Series::high})) {}

  void paint(const std::vector<std::string>& labels) const {
    grid();
    for (const Series& series : panel_.series) band(series, index_of(labels, series.label));
    for (const Series& series : panel_.series) curve(series, index_of(labels, series.label));
    canvas_.frame({size_.left, top}, size_.plot_width(), size_.plot_height());
    titles();
  }

 private:
  static std::size_t index_of(const std::vector<std::string>& labels, const std::string& label) {
    return static_cast<std::size_t>(std::ranges::find(labels, label) - labels.begin());
  }
  double px(double x) const { return size_.left + size_.plot_width() * x_.fraction(x); }
  double py(double y) const { return top + size_.plot_height() * (1.0 - y_.fraction(y)); }
  Point point(double x, double y) const { return {px(x), py(y)}; }

  void grid() const {
    const double floor = top + size_.plot_height();
    const auto fitting_ticks = [](double room, double each) {
      return std::clamp(static_cast<int>(room / each), 2, Axis::usual_ticks);
    };
    for (const Tick& tick : x_.ticks(fitting_ticks(size_.plot_width(), 48.0))) {
      canvas_.grid_line({px(tick.value), top}, {px(tick.value), floor});
      canvas_.text({{px(tick.value), floor + 16.0}, tick.text, tick.exponent, Align::middle});
    }
    if (!panel_.rows.empty()) return row_names();
    for (const Tick& tick : y_.ticks(fitting_ticks(size_.plot_height(), 36.0))) {
      canvas_.grid_line({size_.left, py(tick.value)}, {size_.left + size_.plot_width(), py(tick.value)});
      canvas_.text({{size_.left - 6.0, py(tick.value) + 4.0}, tick.text, tick.exponent, Align::end});
    }
  }

  void row_names() const {
    const double room = size_.left - 10.0;
    const double height = panel_.rows.size() < 2 ? row_height : py(-1.0) - py(0.0);
    for (std::size_t row = 0; row < panel_.rows.size(); ++row) {
      const std::string& name = panel_.rows[row];
      canvas_.text({.at = {size_.left - 6.0, py(-static_cast<double>(row)) + 4.0},
                    .text = name,
                    .exponent = "",
                    .align = Align::end,
                    .size = std::min(fitting(name, letter_size, room), letter_size * height / row_height)});
    }
  }

  void titles() const {
    const double middle_x = size_.left + size_.plot_width() / 2.0;
    const double middle_y = top + size_.plot_height() / 2.0;
    const auto centred = [&](Point at, const std::string& text, double size, double room) {
      return FigureText{
          .at = at, .text = text, .exponent = "", .align = Align::middle, .size = fitting(text, size, room)};
    };
    FigureText title = centred({middle_x, 19.0}, panel_.title, title_size, size_.plot_width());
    title.bold = true;
    if (!panel_.title.empty()) canvas_.text(title);
    canvas_.text(centred({middle_x, size_.height - 10.0}, panel_.x_title, letter_size, size_.plot_width()));
    FigureText upwards = centred({14.0, middle_y}, panel_.y_title, letter_size, size_.height - 10.0);
    upwards.turned = true;
    canvas_.text(upwards);
  }

  // The points of a curve that can be shown, thinned.
  std::vector<std::size_t> points(const Series& series) const {
    std::vector<std::size_t> shown;
    std::vector<double> positions;
    std::vector<double> heights;
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
      if (!x_.can_show(series.x[i]) || !y_.can_show(series.y[i])) continue;
      shown.push_back(i);
      positions.push_back(x_.fraction(series.x[i]));
      heights.push_back(series.y[i]);
    }
    std::vector<std::size_t> drawn;
    for (const std::size_t i : drawn_points(positions, heights)) drawn.push_back(shown[i]);
    return drawn;
  }

  void curve(const Series& series, std::size_t style) const {
    std::vector<Point> line;
    for (const std::size_t i : points(series)) line.push_back(point(series.x[i], series.y[i]));
    if (line.empty()) return;
    canvas_.curve(line, style, series.label);
    for (const Point& mark : marks_along(line, style)) canvas_.mark(mark, style);
  }

  // What reaches below a logarithmic axis ends at its lower end.
  void band(const Series& series, std::size_t style) const {
    if (series.low.size() != series.x.size() || series.high.size() != series.x.size()) return;
    std::vector<Point> outline;
    const std::vector<std::size_t> shown = points(series);
    for (const std::size_t i : shown) outline.push_back(point(series.x[i], series.high[i]));
    for (auto i = shown.rbegin(); i != shown.rend(); ++i) outline.push_back(point(series.x[*i], series.low[*i]));
    if (!outline.empty()) canvas_.band(outline, style);
  }

  const Panel& panel_;
  PanelSize size_;
  Canvas& canvas_;
  Axis x_;
  Axis y_;
};

struct LegendEntry {
  Point at;  // where its line begins, from the top of the legend
  std::size_t style = 0;
  std::string label;
  double size = letter_size;
};

// Entries flow below the panels.
std::vector<LegendEntry> legend_of(const std::vector<std::string>& labels, double width) {
  std::vector<LegendEntry> entries;
  Point at{left, legend_row / 2.0};
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].empty()) continue;
    const double whole = legend_line + legend_gap + text_width(labels[i]) + 18.0;
    if (at.x > left && at.x + whole > width) at = {left, at.y + legend_row};
    entries.push_back({at, i, labels[i], fitting(labels[i], letter_size, width - left - legend_line - legend_gap)});
    at.x += whole;
  }
  return entries;
}

double legend_height(const std::vector<LegendEntry>& legend) {
  return legend.empty() ? 0.0 : legend.back().at.y + legend_row;
}

void paint_legend(const std::vector<LegendEntry>& legend, double below, Canvas& canvas) {
  for (const LegendEntry& entry : legend) {
    const Point from{entry.at.x, below + entry.at.y};
    const std::array line{from, Point{from.x + legend_line, from.y}};
    canvas.curve(line, entry.style, "");
    if (line_style(entry.style).marker != Marker::none) canvas.mark({from.x + legend_line / 2.0, from.y}, entry.style);
    canvas.text({.at = {from.x + legend_line + legend_gap, from.y + 4.0},
                 .text = entry.label,
                 .exponent = "",
                 .size = entry.size});
  }
}

std::string description(std::span<const Panel> panels) {
  std::string text;
  for (const Panel& panel : panels)
    text += (text.empty() ? "" : "; ") + (panel.title.empty() ? "" : panel.title + ": ") + panel.y_title + " against " +
            panel.x_title;
  return text;
}

struct Arrangement {
  std::size_t columns = 1;
  std::size_t rows = 1;
  PanelSize panel;
  double unit = 0.0;  // as in CanvasSize
  std::vector<LegendEntry> legend;

  double width() const { return panel.width * static_cast<double>(columns); }
  double panels_height() const { return panel.height * static_cast<double>(rows); }
};

[[noreturn]] void reject_size(const FigureSize& size, const std::string& what, const std::string& advice) {
  const auto shown = [](const std::optional<double>& points) {
    return points ? fmt::format("{:.4g} mm", *points / 72.0 * 25.4) : std::string("not given");
  };
  throw ConfigError({.what = "the figure is too " + what + " for its panels",
                     .seen = "width " + shown(size.width) + ", height " + shown(size.height),
                     .advice = advice});
}

// Panels beside each other have the same size.
void make_room_for_rows(std::span<const Panel> panels, PanelSize& size) {
  std::size_t rows = 0;
  for (const Panel& panel : panels) {
    rows = std::max(rows, panel.rows.size());
    for (const std::string& name : panel.rows) size.left = std::max(size.left, text_width(name) + 14.0);
  }
  size.left = std::min(size.left, std::max(left, most_left * size.width));
  if (rows > 0) size.height = std::max(low_height, top + bottom + row_height * static_cast<double>(rows));
}

Arrangement arrange(std::span<const Panel> panels, const FigureLayout& layout, const std::vector<std::string>& labels) {
  const std::size_t count = std::max<std::size_t>(1, panels.size());
  Arrangement a{.columns = layout.columns == 0 ? count : std::min(layout.columns, count)};
  const bool on_paper = layout.size.width || layout.size.height;
  a.unit = on_paper ? printed_letter_size / letter_size : 0.0;
  if (layout.size.width) {
    const double width = *layout.size.width / a.unit;
    if (width < narrow_width) reject_size(layout.size, "narrow", "give a larger --width, such as 85mm");
    a.columns = std::min(a.columns, static_cast<std::size_t>(width / narrow_width));
    a.panel.width = width / static_cast<double>(a.columns);
    a.panel.height = std::clamp(a.panel.width * usual_height / usual_width, 1.3 * low_height, usual_height);
  }
  a.rows = (count + a.columns - 1) / a.columns;
  a.legend = legend_of(labels, a.width());
  make_room_for_rows(panels, a.panel);
  if (layout.size.height) {
    const double height = *layout.size.height / a.unit - legend_height(a.legend);
    a.panel.height = height / static_cast<double>(a.rows);
    if (a.panel.height < low_height)
      reject_size(layout.size, "low", "give a larger --height, a larger --width, or fewer curves");
  }
  return a;
}

template <class MakeCanvas>
std::string figure_on(MakeCanvas&& make, std::span<const Panel> panels, const FigureLayout& layout) {
  const std::vector<std::string> labels = labels_of(panels);
  const Arrangement a = arrange(panels, layout, labels);
  const std::unique_ptr<Canvas> canvas =
      make(CanvasSize{a.width(), a.panels_height() + legend_height(a.legend), a.unit});
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % a.columns);
    const auto row = static_cast<double>(i / a.columns);
    canvas->begin_group({a.panel.width * column, a.panel.height * row});
    PanelPainter(panels[i], a.panel, *canvas).paint(labels);
    canvas->end_group();
  }
  paint_legend(a.legend, a.panels_height(), *canvas);
  return canvas->bytes();
}

}  // namespace

std::vector<std::size_t> drawn_points(const std::vector<double>& positions, const std::vector<double>& y) {
  std::vector<std::size_t> drawn;
  const std::size_t count = std::min(positions.size(), y.size());
  if (count <= max_points) {
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(i);
    return drawn;
  }
  constexpr auto strips = static_cast<double>(max_points / 2 - 1);
  const auto strip_of = [&](std::size_t i) { return std::min(std::floor(positions[i] * strips), strips - 1.0); };
  drawn.push_back(0);
  for (std::size_t begin = 0; begin < count;) {
    std::size_t least = begin;
    std::size_t most = begin;
    std::size_t end = begin;
    for (; end < count && strip_of(end) == strip_of(begin); ++end) {
      if (y[end] < y[least]) least = end;
      if (y[end] > y[most]) most = end;
    }
    for (const std::size_t i : {std::min(least, most), std::max(least, most)})
      if (i > drawn.back()) drawn.push_back(i);
    begin = end;
  }
  if (drawn.back() != count - 1) drawn.push_back(count - 1);
  return drawn;
}

std::string figure_svg(std::span<const Panel> panels, const FigureLayout& layout) {
  return figure_on([&](const CanvasSize& size) { return svg_canvas(size, description(panels)); }, panels, layout);
}

std::string figure_pdf(std::span<const Panel> panels, const FigureLayout& layout) {
  return figure_on([](const CanvasSize& size) { return pdf_canvas(size); }, panels, layout);
}

}  // namespace driftless
